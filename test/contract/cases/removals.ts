import type { ContractCase } from "./contract-cases.ts";
import { EVERYWHERE, PREPARED, SERVICE_ONLY } from "./targets.ts";

/** A client address that has used up its removal requests of the minute. */
export const SPENT_ADDRESS = "198.51.100.254";

// Each case has its own address, as reported by the proxy in front: here an address may send one a minute.
let cases = 0;
const fromSomewhere = (): Record<string, string> => ({
  "Content-Type": "application/json",
  "X-Forwarded-For": `198.51.100.${++cases}`,
});

const request = (title: string, body: unknown, status: number): ContractCase => ({
  operation: "requestRemoval",
  method: "POST",
  path: "/v1/opt-out",
  sender: "nobody",
  headers: fromSomewhere(),
  title,
  body,
  status,
  targets: PREPARED,
});

const accepted = (title: string, body: object): ContractCase => ({
  ...request(title, body, 202),
  holds: ({ request_id, status }: { request_id: number; status: string }) =>
    request_id > 0 && status === "suppressed",
});

const refused = (title: string, body: object, code: string): ContractCase => ({
  ...request(title, body, 400),
  code,
});

/** A body with an error, so that nothing is removed; the mock finds it itself. */
const misfit = (title: string, body: unknown, fault: string): ContractCase => ({
  ...request(title, body, 422),
  faults: [`body ${fault}`],
  isValidatedByMock: true,
  targets: EVERYWHERE,
});

const number = { usdot: "99999999" };

export const removalCases: ContractCase[] = [
  accepted("by USDOT number", number),
  accepted("by MC number", { mc: "MC-99999999" }),
  accepted("by phone", { phone: "+1 (325) 555-0142", email: null }),
  accepted("by e-mail", { email: "Dispatch.BlueMesa@example.com", mc: "" }),
  accepted("with everything", {
    ...number,
    mc: "FF 1234",
    phone: "325.555.0142 x3",
    email: "mailto:bluemesa@example.com",
    requester_email: "owner@example.com",
    details: "Please take our number off all lists.",
  }),
  refused("an empty body", {}, "missing_identifier"),
  refused("blanks and nulls", { usdot: " ", mc: "", phone: null, email: "\t" }, "missing_identifier"),
  refused("only the requester's address", { requester_email: "owner@example.com" }, "missing_identifier"),
  refused("a letter in the USDOT number", { usdot: "43129O7" }, "invalid_identifier"),
  refused("two phone numbers", { phone: "325-555-0142 or 325-555-0143" }, "invalid_identifier"),
  refused(
    "a readable identifier and an unreadable one",
    { ...number, email: "nobody" },
    "invalid_identifier",
  ),
  { ...request("no body", undefined, 422), faults: ["body"], targets: SERVICE_ONLY },
  misfit("a number instead of a text", { usdot: 4312907 }, "usdot"),
  misfit("an unknown member", { ...number, dot: "1" }, "dot"),
  misfit("details too long", { ...number, details: "x".repeat(2001) }, "details"),
  misfit("a USDOT number too long", { usdot: "1".repeat(65) }, "usdot"),
  ...["nobody", "a@example.com\r\nBcc: b@example.com", "a@example.com, b@example.com", "a@example.com\n"].map(
    (requester_email) =>
      misfit(
        `requester_email ${JSON.stringify(requester_email)}`,
        { ...number, requester_email },
        "requester_email",
      ),
  ),
  {
    ...request("a query parameter", number, 422),
    path: "/v1/opt-out?usdot=1",
    faults: ["query usdot"],
    example: "unknown_parameter",
  },
  {
    ...request("a form", number, 415),
    headers: { ...fromSomewhere(), "Content-Type": "application/x-www-form-urlencoded" },
    code: "unsupported_media_type",
    isPastPrism: true,
    targets: SERVICE_ONLY,
  },
  {
    ...request("a body of 40 KB", { ...number, details: "x".repeat(40_000) }, 413),
    code: "payload_too_large",
    targets: SERVICE_ONLY,
  },
  {
    ...request("the address's second request of the minute", number, 429),
    headers: { ...fromSomewhere(), "X-Forwarded-For": SPENT_ADDRESS },
    code: "rate_limited",
  },
];
