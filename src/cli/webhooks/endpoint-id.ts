import { OperatorError } from "../../platform/operator-error.ts";

/** A webhook endpoint's number as it was typed. */
export function endpointIdFrom(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(`An endpoint is named by its number, not "${text}"; "webhook list" shows them.`);
}

export const noSuchEndpoint = (endpointId: number): OperatorError =>
  new OperatorError(`There is no webhook endpoint ${endpointId}; "webhook list" shows them.`);
