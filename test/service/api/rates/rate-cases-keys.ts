// The answers of the operations on keys, for rate-cases.ts.
import { bodyCasesOf, casesOf, keyedCasesOf, postedCasesOf, type RateCase } from "./rate-cases.ts";

const KEYS = "/v1/keys";
const ROTATE = `${KEYS}/{own_key}/rotate`;
const NEW_KEY = { method: "POST", path: KEYS, body: { name: "Nightly sync" } } as const;
const ROTATION = { method: "POST", path: ROTATE, body: {} } as const;
const REVOCATION = { method: "DELETE", path: `${KEYS}/{own_key}` } as const;
const NARROW = { scopes: ["keys:write", "usage:read"] } as const;

/** Admission still reads the table. */
const WRITES_OF_KEYS = "api_key IN SHARE MODE";

export const KEY_CASES: readonly RateCase[] = [
  ...casesOf("listKeys", KEYS, "limit=0", null),
  ...postedCasesOf("createKey", "201", NEW_KEY, WRITES_OF_KEYS),
  ...bodyCasesOf("createKey", NEW_KEY),
  ...keyedCasesOf("createKey", NEW_KEY),
  { operation: "createKey", ...NEW_KEY, answer: "key_limit_reached", keys: 50 },
  { operation: "createKey", ...NEW_KEY, answer: "exceeds_own_key", grant: NARROW },
  ...postedCasesOf("rotateKey", "200", ROTATION, WRITES_OF_KEYS),
  ...bodyCasesOf("rotateKey", ROTATION),
  ...keyedCasesOf("rotateKey", ROTATION),
  { operation: "rotateKey", ...ROTATION, answer: "exceeds_own_key", grant: NARROW },
  { operation: "rotateKey", ...ROTATION, path: `${KEYS}/zzzzzzzz/rotate`, answer: "not_found" },
  { operation: "rotateKey", ...ROTATION, path: `${KEYS}/{ended_key}/rotate`, answer: "key_ended" },
  ...postedCasesOf("revokeKey", "204", REVOCATION, WRITES_OF_KEYS),
  { operation: "revokeKey", ...REVOCATION, answer: "exceeds_own_key", grant: NARROW },
  { operation: "revokeKey", ...REVOCATION, path: `${KEYS}/zzzzzzzz`, answer: "not_found" },
];
