import { ProblemError } from "../../platform/http/problem.ts";
import type { Caller } from "./caller.ts";

/** Throws ProblemError plan_has_no_api_access if the caller's plan lacks API access. */
export function requireApiAccess({ hasApiAccess }: Pick<Caller, "hasApiAccess">): void {
  if (hasApiAccess) return;
  throw new ProblemError("plan_has_no_api_access", "The account's plan does not include API access.");
}
