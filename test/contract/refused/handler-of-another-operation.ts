// refused: is not assignable to type 'Handler<"readUsage">'
import type { Handlers } from "../../../src/generated/operations.ts";
import { handlers as good } from "./good.ts";

export const handlers: Handlers = { ...good, readUsage: good.listFeeds };
