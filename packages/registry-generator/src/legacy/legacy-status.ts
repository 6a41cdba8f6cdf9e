import type { Authority } from "../histories/authorities.ts";
import type { Action } from "../histories/histories.ts";

/** A: has the authority, I: had it, N: never had it. */
export function legacyStatus(authority: Authority | undefined): "A" | "I" | "N" {
  let status: "A" | "I" | "N" = "N";
  for (const { act } of authority?.actions ?? []) {
    if (act === "granted" || act === "reinstated") status = "A";
    else if (status === "A" && isEnding(act)) status = "I";
  }
  return status;
}

/** Whether an action ends an authority. */
export const isEnding = (act: Action["act"]): boolean =>
  act === "revoked" || act === "withdrawn" || act === "suspended_insurance" || act === "suspended_agent";
