import type { components } from "../../../src/generated/types.ts";
import type { Context } from "../../../src/platform/context.ts";

export type OptOutIn = components["schemas"]["OptOutIn"];
type OptOutOut = components["schemas"]["OptOutOut"];

let lastAddress = 0;

/** A client address that no other request of the test run has. */
export const newAddress = (): string => {
  lastAddress += 1;
  return `10.${lastAddress >> 16}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
};

/** POST /v1/opt-out through one proxy (TRUST_PROXY_HOPS=1), from a new address unless one is given. */
export function postOptOut(url: string, body: unknown, address = newAddress()): Promise<Response> {
  return fetch(`${url}/v1/opt-out`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": address },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
}

/** Sends a request and returns its number. Throws any other answer. */
export async function optOut(url: string, body: OptOutIn, address?: string): Promise<number> {
  const answer = await postOptOut(url, body, address);
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`${answer.status}: ${text}`);
  return (JSON.parse(text) as OptOutOut).request_id;
}

/** The contents of the removal list, and its number. */
export async function removalList({ db }: Pick<Context, "db">) {
  const businesses = await db.pool.query<{ usdot: number }>(
    "SELECT usdot FROM suppressed_business ORDER BY usdot",
  );
  const contacts = await db.pool.query<{ value: string }>("SELECT value FROM blanked_contact ORDER BY value");
  const state = await db.pool.query<{ number: number }>("SELECT number FROM suppression_state");
  return {
    businesses: businesses.rows.map(({ usdot }) => usdot),
    contacts: contacts.rows.map(({ value }) => value),
    number: state.rows[0]?.number,
  };
}
