// refused: 'requestRemoval' does not exist in type 'Handlers'
import type { Handler, Handlers } from "../../../src/generated/operations.ts";
import { handlers as good } from "./good.ts";

const requestRemoval: Handler<"requestRemoval"> = () => Promise.reject(new Error("planned"));
export const handlers: Handlers = { ...good, requestRemoval };
