import type { ContractCase } from "./contract-cases.ts";
import { answered, misfit, ofBody, type Request } from "./shapes.ts";
import { EVERYWHERE, SERVICE_ONLY } from "./targets.ts";

const JSON_BODY = { "Content-Type": "application/json" };

const listKeys: Request = { operation: "listKeys", path: "/v1/keys" };
const createKey: Request = {
  operation: "createKey",
  method: "POST",
  path: "/v1/keys",
  headers: JSON_BODY,
  body: { name: "Nightly sync" },
};
const rotateKey: Request = {
  operation: "rotateKey",
  method: "POST",
  path: "/v1/keys/{own_key}/rotate",
  headers: JSON_BODY,
  body: { grace_seconds: 3600 },
};
const revokeKey: Request = { operation: "revokeKey", method: "DELETE", path: "/v1/keys/{own_key}" };

/** Requests that need a key, and those that take an idempotency key. The last one revokes the key. */
export const MANAGED_KEY_REQUESTS: readonly Request[] = [listKeys, createKey, rotateKey, revokeKey];
export const KEYED_KEY_REQUESTS: readonly Request[] = [createKey, rotateKey];

type Made = { key: string; scopes: string[]; allowed_networks: string[] | null; state: string };

const terms = (body: object): object => ({ name: "Nightly sync", ...body });

const withoutKey = (request: Request): ContractCase[] => [
  answered(request, "a key of another account", {
    path: request.path.replace("{own_key}", "zzzzzzzz"),
    status: 404,
    code: "not_found",
  }),
  misfit(request, "an id that is none", {
    path: request.path.replace("{own_key}", "mine"),
    faults: ["path key_id"],
  }),
];

export const managedKeyCases: ContractCase[] = [
  answered(listKeys, "a page", { path: "/v1/keys?limit=2" }),
  misfit(listKeys, "limit 0", { path: "/v1/keys?limit=0", faults: ["query limit"], targets: EVERYWHERE }),
  answered(listKeys, "a foreign cursor", {
    path: "/v1/keys?cursor=mine",
    status: 422,
    faults: ["query cursor"],
    targets: SERVICE_ONLY,
  }),
  answered(createKey, "a name", {
    status: 201,
    holds: ({ scopes, state }: Made) => !scopes.includes("keys:write") && state === "active",
  }),
  answered(createKey, "scopes, an end and networks", {
    status: 201,
    body: terms({
      scopes: ["usage:read", "feeds:read"],
      expires_in_days: 30,
      allowed_networks: ["203.0.113.0/24", "2001:db8::1"],
    }),
    holds: ({ scopes, allowed_networks: networks }: Made) =>
      scopes.join() === "feeds:read,usage:read" && networks?.join() === "203.0.113.0/24,2001:db8::1/128",
  }),
  misfit(createKey, "no name", { body: {}, faults: ["body name"] }),
  misfit(createKey, "no scope", { body: terms({ scopes: [] }), faults: ["body scopes"] }),
  ...(
    [
      ["an unknown scope", { scopes: ["feeds:write"] }, "body scopes 0"],
      ["an end that is over", { expires_at: "2020-01-01T00:00:00Z" }, "body expires_at"],
      ["two ends", { expires_at: "2099-01-01T00:00:00Z", expires_in_days: 1 }, "body expires_in_days"],
      [
        "a network with bits behind its prefix",
        { allowed_networks: ["203.0.113.7/24"] },
        "body allowed_networks 0",
      ],
      ["a blank name", { name: " " }, "body name"],
    ] as const
  ).map(([title, body, fault]) =>
    answered(createKey, title, { status: 422, body: terms(body), faults: [fault], targets: SERVICE_ONLY }),
  ),
  ...ofBody(createKey, 40_000),
  answered(createKey, "the 51st key", { status: 400, code: "key_limit_reached", sender: "full_account" }),
  answered(createKey, "more than the key has", {
    status: 403,
    code: "exceeds_own_key",
    sender: "narrow_manager",
  }),
  answered(rotateKey, "an hour of grace", {
    holds: ({ state, key }: Made) => state === "in_grace" && key !== "",
  }),
  misfit(rotateKey, "a grace of 31 days", {
    body: { grace_seconds: 31 * 86_400 },
    faults: ["body grace_seconds"],
  }),
  ...ofBody(rotateKey, 40_000),
  answered(rotateKey, "a key that was revoked", {
    path: "/v1/keys/{ended_key}/rotate",
    status: 409,
    code: "key_ended",
  }),
  ...[rotateKey, revokeKey].flatMap((request) => [
    answered(request, "a key that has more", {
      status: 403,
      code: "exceeds_own_key",
      sender: "narrow_manager",
    }),
    ...withoutKey(request),
  ]),
  answered(revokeKey, "a key", { status: 204 }),
  answered(revokeKey, "a key that was revoked", { path: "/v1/keys/{ended_key}", status: 204 }),
];
