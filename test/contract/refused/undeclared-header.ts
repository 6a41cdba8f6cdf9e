// refused: Type '{ "X-Total-Count": string; }' is not assignable to type 'never'
import type { Handler } from "../../../src/generated/operations.ts";

export const listFeeds: Handler<"listFeeds"> = async () => ({
  status: 200,
  headers: { "X-Total-Count": "0" },
  body: { data: [] },
});
