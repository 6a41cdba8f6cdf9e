// refused: 'dropEverything' does not exist in type 'Handlers'

import { handlers as good } from "../../../src/generated/handlers.ts";
import type { Handlers } from "../../../src/generated/operations.ts";

export const handlers: Handlers = { ...good, dropEverything: good.listFeeds };
