// refused: Type 'number' is not assignable to type 'string'
import type { Handler } from "../../../src/generated/operations.ts";

export const lookUpCarrier: Handler<"lookUpCarrier"> = async ({ path }) => ({
  status: 200,
  body: { usdot: Number(path.dot), company: "Acme", records: [], events: [] },
});
