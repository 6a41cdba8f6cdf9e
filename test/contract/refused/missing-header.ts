// refused: Property 'headers' is missing in type '{ status: 304; body: null; }'
import type { Handler } from "../../../src/generated/operations.ts";

export const readRecords: Handler<"readRecords"> = async () => ({ status: 304, body: null });
