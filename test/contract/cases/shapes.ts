// The shapes of cases that several operations share.

import type { ContractCase } from "./contract-cases.ts";
import { PREPARED, SERVICE_ONLY } from "./targets.ts";

export type Request = Pick<ContractCase, "operation" | "path" | "method" | "headers" | "body">;

/** A request that is answered with 200, unless `how` says otherwise. */
export const answered = (request: Request, title: string, how: Partial<ContractCase> = {}): ContractCase => ({
  ...request,
  title,
  status: 200,
  targets: PREPARED,
  ...how,
});

/** A request that does not fit the contract, which the mock sees too. */
export const misfit = (request: Request, title: string, how: Partial<ContractCase>): ContractCase =>
  answered(request, title, { status: 422, isValidatedByMock: true, ...how });

/** What is wrong with bodies of any JSON request: another type, too many bytes, an unknown member. */
export const ofBody = (request: Request, bytes: number): ContractCase[] => [
  answered(request, "text", {
    headers: { "Content-Type": "text/plain" },
    status: 415,
    code: "unsupported_media_type",
  }),
  answered(request, "a large body", {
    body: { name: "x".repeat(bytes) },
    status: 413,
    code: "payload_too_large",
    targets: SERVICE_ONLY,
  }),
  misfit(request, "an unknown member", {
    body: { ...(request.body as object), mine: true },
    faults: ["body mine"],
  }),
];
