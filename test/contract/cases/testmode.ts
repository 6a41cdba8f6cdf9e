import type { ContractCase } from "./contract-cases.ts";
import { misfit, type Request } from "./shapes.ts";
import { PREPARED, SERVICE_ONLY } from "./targets.ts";

export const createTestEvent: Request = {
  operation: "createTestEvent",
  method: "POST",
  path: "/v1/test/events",
  headers: { "Content-Type": "application/json" },
  body: { type: "reinstated", usdot: "90000004" },
};

/** By a test key; a live one is refused. */
export const testModeCases: ContractCase[] = [
  { ...createTestEvent, title: "a type and a company", status: 201, sender: "tester", targets: PREPARED },
  { ...createTestEvent, title: "a live key", status: 403, code: "test_key_required", targets: PREPARED },
  {
    ...createTestEvent,
    title: "no such company",
    status: 404,
    code: "not_found",
    sender: "tester",
    body: { type: "reinstated", usdot: "1" },
    targets: PREPARED,
  },
  {
    ...createTestEvent,
    title: "text",
    headers: { "Content-Type": "text/plain" },
    status: 415,
    code: "unsupported_media_type",
    targets: PREPARED,
  },
  {
    ...createTestEvent,
    title: "a large body",
    body: { type: "x".repeat(40_000) },
    status: 413,
    code: "payload_too_large",
    targets: SERVICE_ONLY,
  },
  misfit(createTestEvent, "no company", { body: { type: "reinstated" }, faults: ["body usdot"] }),
  misfit(createTestEvent, "no event type", {
    body: { type: "gone", usdot: "90000004" },
    faults: ["body type"],
  }),
  misfit(createTestEvent, "a member that is none", {
    body: { type: "reinstated", usdot: "90000004", on: "today" },
    faults: ["body on"],
  }),
];
