// refused: Property 'trucks_min' does not exist
import type { Handler } from "../../../src/generated/operations.ts";

// Filters reach a handler as raw text only: the feeds validate them.
export const readRecords: Handler<"readRecords"> = async ({ query }) => {
  throw new Error(`${query.trucks_min}`);
};
