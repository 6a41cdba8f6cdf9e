// refused: 'listWebhooks' does not exist in type 'Handlers'
import type { Handler, Handlers } from "../../../src/generated/operations.ts";
import { handlers as good } from "./good.ts";

const listWebhooks: Handler<"listWebhooks"> = () => Promise.reject(new Error("planned"));
export const handlers: Handlers = { ...good, listWebhooks };
