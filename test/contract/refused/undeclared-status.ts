// refused: Type '404' is not assignable to type '200'
import type { Handler } from "../../../src/generated/operations.ts";

export const listFeeds: Handler<"listFeeds"> = async () => ({ status: 404, body: { data: [] } });
