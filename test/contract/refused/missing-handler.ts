// refused: Property 'readUsage' is missing
import type { Handlers } from "../../../src/generated/operations.ts";
import { handlers as good } from "./good.ts";

const { readUsage: _readUsage, ...others } = good;
export const handlers: Handlers = others;
