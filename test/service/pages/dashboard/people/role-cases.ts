import { ROLES, type Role } from "../../../../../src/accounts/people/roles.ts";

interface Case {
  /** The roles that may do it. */
  may: readonly Role[];
  form?: Record<string, string>;
  /** What a role that may do it gets; a redirect unless given. */
  status?: number;
}

export const everybody = ROLES;
export const working = ["owner", "member"] as const;
export const owners = ["owner"] as const;

export const CASES: Readonly<Record<string, Case>> = {
  "POST /sign-out": { may: everybody },
  "POST /sign-out-everywhere": { may: everybody },
  "POST /accounts": { may: everybody, form: { account: "{account}" } },
  "POST /people/leave": { may: everybody },
  "POST /people": { may: owners, form: { email: "new@freight.example", role: "reader" } },
  "POST /people/:id/role": { may: owners, form: { role: "member" } },
  "POST /people/:id/remove": { may: owners },
  "POST /people/invitations/:id/again": { may: owners },
  "POST /people/invitations/:id/withdraw": { may: owners },
  "POST /keys": { may: working, form: { name: "Nightly sync", scopes: "feeds:read" } },
  "POST /keys/test": { may: working },
  "POST /keys/:id/rotate": { may: working, form: { grace: "0" } },
  "POST /keys/:id/revoke": { may: working },
  "POST /webhooks": {
    may: working,
    form: { url: "https://hooks.example.com/two", event_types: "new_authority_granted" },
  },
  "POST /webhooks/:id/edit": {
    may: working,
    form: { url: "https://hooks.example.com/three", event_types: "new_authority_granted" },
  },
  "POST /webhooks/:id/pause": { may: working },
  "POST /webhooks/:id/enable": { may: working },
  "POST /webhooks/:id/test": { may: working },
  "POST /webhooks/:id/rotate": { may: working, form: { overlap: "0" } },
  "POST /webhooks/:id/delete": { may: working },
  "POST /webhooks/:id/replay": {
    may: working,
    form: { from: "2026-11-20T00:00", to: "2026-11-21T00:00", delivered: "false" },
  },
  // The account has no delivery.
  "POST /webhooks/:id/deliveries/:delivery/resend": { may: working, status: 404 },
  "POST /watchlists": { may: working, form: { name: "Insured", description: "" } },
  "POST /watchlists/mail": { may: working, form: { mail: "on" } },
  "POST /watchlists/:id": { may: working, form: { numbers: "1234567" } },
  "POST /watchlists/:id/edit": { may: working, form: { name: "Hired", description: "" } },
  "POST /watchlists/:id/remove": { may: working, form: { usdot: "1234567" } },
  "POST /watchlists/:id/delete": { may: working },
  "POST /carriers/:usdot/watch": { may: working, form: { list: "new" } },
  "POST /feeds/:code/views": { may: working, form: { view_name: "Mine", search: "?state=TX" } },
  "POST /feeds/views/delete": { may: working, form: { view: "1" } },
  "GET /keys/:id/rotate": { may: working, status: 200 },
  "GET /keys/:id/revoke": { may: working, status: 200 },
  "GET /webhooks/:id/rotate": { may: working, status: 200 },
  "GET /webhooks/:id/delete": { may: working, status: 200 },
  "GET /watchlists/:id/delete": { may: working, status: 200 },
  "GET /feeds/:code/export.csv": { may: working, status: 200 },
  "GET /feeds/:code/export.ndjson": { may: working, status: 200 },
  "GET /feeds/:code/export.parquet": { may: working, status: 200 },
};

/** Routes for somebody who is not signed in. */
export const OPEN = ["POST /sign-in", "POST /sign-in/:token", "POST /invitations/:token"];
