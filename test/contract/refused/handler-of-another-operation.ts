// refused: is not assignable to type 'Handler<"readUsage">'

import { handlers as good } from "../../../src/generated/handlers.ts";
import type { Handlers } from "../../../src/generated/operations.ts";

export const handlers: Handlers = { ...good, readUsage: good.listFeeds };
