// refused: Property 'data' is missing in type '{ month_start: string
import type { Handler } from "../../../src/generated/operations.ts";
import type { components } from "../../../src/generated/types.ts";
import { jsonText } from "../../../src/platform/json-text.ts";

const usage = jsonText<components["schemas"]["UsageOut"]>(Buffer.from("{}"));
export const listFeeds: Handler<"listFeeds"> = async () => ({ status: 200, body: usage });
