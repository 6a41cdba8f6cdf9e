import type { Authority } from "../histories/authorities.ts";
import type { Action } from "../histories/histories.ts";

/** A holds authority, I held it once, N never did. */
export function legacyStatus(authority: Authority | undefined): "A" | "I" | "N" {
  let status: "A" | "I" | "N" = "N";
  for (const { act } of authority?.actions ?? []) {
    if (act === "granted" || act === "reinstated") status = "A";
    else if (status === "A" && isEnding(act)) status = "I";
  }
  return status;
}

/** True for the actions by which an authority is lost. */
export const isEnding = (act: Action["act"]): boolean =>
  act === "revoked" || act === "withdrawn" || act === "suspended_insurance" || act === "suspended_agent";
