// refused: Property 'readUsage' is missing

import { handlers as good } from "../../../src/generated/handlers.ts";
import type { Handlers } from "../../../src/generated/operations.ts";

const { readUsage: _readUsage, ...others } = good;
export const handlers: Handlers = others;
