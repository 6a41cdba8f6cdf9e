import { OperatorError } from "../../platform/operator-error.ts";

/** An account's number as it was typed. */
export function accountIdFrom(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(`An account is named by its number, not "${text}"; "account list" shows them.`);
}
