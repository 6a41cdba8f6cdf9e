// refused: is not assignable to type 'Handler<"readRecords">'
import type { Handler } from "../../../src/generated/operations.ts";

export const readRecords: Handler<"readRecords"> = async () => {
  const headers = { ETag: '"1"', "X-Licence-Reference": "LIC-1" };
  return { status: 304, headers, body: null };
};
