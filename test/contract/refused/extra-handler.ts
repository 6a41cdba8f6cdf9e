// refused: 'dropEverything' does not exist in type 'Handlers'
import type { Handlers } from "../../../src/generated/operations.ts";
import { handlers as good } from "./good.ts";

export const handlers: Handlers = { ...good, dropEverything: good.listFeeds };
