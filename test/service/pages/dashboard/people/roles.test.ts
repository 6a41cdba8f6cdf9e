// Each role × each route of the dashboard that changes something, by the page that a browser gets.
import { randomUUID } from "node:crypto";
import express from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invite, listInvitations } from "../../../../../src/accounts/invitations/invitations.ts";
import { addPerson, listPeople } from "../../../../../src/accounts/people/people.ts";
import { ALLOWED, ROLES, type Role } from "../../../../../src/accounts/people/roles.ts";
import { routePages } from "../../../../../src/pages/pages.ts";
import { entryContextOf } from "../../../../../src/platform/context.ts";
import { createList } from "../../../../../src/watchlists/watchlists.ts";
import { setOwner } from "../../../../support/accounts.ts";
import { dump } from "../../../../support/database/dump.ts";
import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { changeRows, removeRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { visitorOf } from "../../../../support/visitor.ts";
import { registerEndpoint } from "../../../../support/webhooks/endpoints.ts";
import { CASES, everybody, OPEN, owners, working } from "./role-cases.ts";

const FEED = "us_brokers";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ hasTestMode: true });
  const records = [1, 2].map((dot) => feedRecord(FEED, { dot_number: String(dot) }));
  await publishFeed(service.context.db, FEED, { records, asOf: "2026-11-20", now: service.clock.now() });
});
afterAll(() => service.stop());

it("the cases are the routes that change something or download", () => {
  const app = express();
  routePages(app, entryContextOf(service.context), []);
  const routed = routesIn(app.router.stack as unknown as readonly Layer[], false);
  expect(routed.length).toBeGreaterThan(50);
  const changing = routed.filter((route) => !route.startsWith("GET ") || CASES[route] !== undefined);
  expect(changing.toSorted()).toEqual([...Object.keys(CASES), ...OPEN].toSorted());
});

it("each action of the table of roles has its roles from the lists that the cases name", () => {
  const lists = new Set(Object.values(ALLOWED).map((roles) => roles.join()));
  expect([...lists].toSorted()).toEqual([everybody, working, owners].map((roles) => roles.join()).toSorted());
});

describe.each(ROLES)("a %s", (role) => {
  it.each(Object.entries(CASES))(`${role}: %s`, async (route, { may, form = {}, status = 303 }) => {
    const { visitor, path, fill, ownerEmail } = await accountWith(role, route);
    const token = /name="form_token" value="([^"]+)"/.exec((await visitor.open("")).text)?.[1] ?? "";
    const before = may.includes(role) ? null : await rows();
    const filled = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, fill(value)]));
    const answer = route.startsWith("GET ")
      ? await visitor.open(path)
      : await visitor
          .post(path, new URLSearchParams({ ...filled, form_token: token }))
          .then(async (sent) => ({ status: sent.status, text: await sent.text() }));
    if (may.includes(role)) {
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
      return;
    }
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("Your role does not allow this");
    expect(answer.text).toMatch(/Only owners(?: and members)? of the account may /);
    expect(answer.text).toContain(`Ask ${ownerEmail}`);
    expect(await rows()).toEqual(before);
  });

  it.runIf(role === "owner")("starts no download by a link on another site", async () => {
    const { visitor } = await accountWith(role, "GET ");
    const path = `/feeds/${FEED}/export.csv`;
    for (const site of ["cross-site", "same-site"]) {
      const before = await rows();
      const refused = await visitor.open(path, { "Sec-Fetch-Site": site });
      expect(refused.status).toBe(403);
      expect(refused.text).toContain("Not started from this page");
      expect(await rows()).toEqual(before);
    }
    for (const site of ["same-origin", "none"])
      expect((await visitor.open(path, { "Sec-Fetch-Site": site })).status).toBe(200);
  });

  it("is told what to do about an endpoint that fails, or whom to ask", async () => {
    const { visitor, path } = await accountWith(role, "GET /webhooks/:id");
    const id = Number(path.split("/").at(-1));
    const paused = { active: false, disabled_reason: "too_many_failures" };
    for (const change of [{ failure_streak: 1 }, paused]) {
      await changeRows(service.context.db.pool, "webhook_endpoint", change, { id });
      for (const page of [path, ""]) {
        const { text } = await visitor.open(page);
        expect(text).toMatch(/is failing|is paused/);
        expect(/ the missed events\./.test(text)).toBe(role !== "reader");
        expect(/Only owners and members may change .*: ask one of them\./.test(text)).toBe(role === "reader");
      }
    }
  });

  it("is told to make nothing that the role may not make, but who may", async () => {
    const { accountId } = await service.createAccount({ feeds: { [FEED]: null } });
    const email = `${role}.${randomUUID().slice(0, 8)}@freight.example`;
    await addPerson(service.context, accountId, { email, role });
    await removeRows(service.context.db.pool, "api_key", { account_id: accountId });
    const { id } = await createList(service.context, accountId, { name: "Clients" });
    const visitor = await visitorOf(service, accountId, email);
    const told = async (path: string) => (await visitor.open(path)).text;
    const isReader = role === "reader";
    expect(/Start here|Register one/.test(await told(""))).toBe(!isReader);
    expect(await told(`/watchlists/${id}`)).toContain(
      isReader ? "Only owners and members of the account may change watchlists." : "Add carriers above",
    );
    await removeRows(service.context.db.pool, "watchlist", { account_id: accountId });
    for (const [path, offer, who] of [
      ["/keys", "Make one below", "make keys"],
      ["/webhooks", "Register an address of yours below", "register endpoints"],
      ["/watchlists", "Make one below", "make watchlists"],
    ] as const) {
      const text = await told(path);
      expect(text.includes(offer), path).toBe(!isReader);
      expect(text.includes(`Only owners and members of the account may ${who}.`), path).toBe(isReader);
    }
  });

  it("looks at every page", async () => {
    const { visitor } = await accountWith(role, "GET ");
    for (const path of [
      "",
      "/keys",
      "/webhooks",
      "/watchlists",
      "/usage",
      "/feeds",
      `/feeds/${FEED}`,
      `/feeds/${FEED}/numbers`,
      "/people",
      "/people/log",
    ]) {
      expect({ path, status: (await visitor.open(path)).status }).toEqual({ path, status: 200 });
    }
    const { text } = await visitor.open(`/feeds/${FEED}`);
    for (const offered of ["Save this view", "Download as CSV"]) {
      expect(text.includes(offered), offered).toBe(role !== "reader");
    }
  });
});

/** What the database has, without what looking at a page writes. */
async function rows(): Promise<Record<string, unknown>> {
  const { "public.dashboard_session": _session, ...rest } = await dump(service.context.db);
  return rest;
}

/** An account with a person of each role and one of everything, a person of it who is signed in, and the path of a route. */
async function accountWith(role: Role, route: string) {
  const { context } = service;
  const { accountId, keyId } = await service.createAccount({
    feeds: { [FEED]: null, us_new_authority_weekly: null },
  });
  const name = randomUUID().slice(0, 8);
  const ownerEmail = `first.${name}@freight.example`;
  await setOwner(context, accountId, ownerEmail);
  const email = `${role}.${name}@freight.example`;
  await addPerson(context, accountId, { email, role });
  const other = await addPerson(context, accountId, {
    email: `other.${name}@freight.example`,
    role: "reader",
  });
  const [owner] = await listPeople(context, accountId);
  if (owner === undefined) throw new Error("No owner");
  const inviter = { accountId, accountName: "Ada Freight", person: owner };
  await invite(context, inviter, { email: `invited.${name}@freight.example`, role: "reader" });
  const [invitation] = await listInvitations(context, accountId);
  const { id: endpoint } = await registerEndpoint(context, accountId);
  const { id: watchlist } = await createList(context, accountId, { name: "Clients" });
  const [, part] = route.split("/");
  const ids: Record<string, string | number> = {
    keys: keyId,
    webhooks: endpoint,
    watchlists: watchlist,
    people: other.id,
  };
  const id = route.includes("/invitations/:id") ? invitation?.id : ids[part ?? ""];
  const path = (route.split(" ")[1] ?? "")
    .replace(":id", String(id))
    .replace(":delivery", "1")
    .replace(":usdot", "1234567")
    .replace(":code", FEED);
  const fill = (value: string) => value.replace("{account}", String(accountId));
  return { visitor: await visitorOf(service, accountId, email), path, fill, ownerEmail };
}

/** Express's router, as far as its routes are read here. */
interface Layer {
  route?: { path: unknown; methods: Record<string, boolean> };
  handle: { stack?: readonly Layer[] };
}

/** The methods and paths of the dashboard's routes. The only nested router is the dashboard's. */
const routesIn = (layers: readonly Layer[], isDashboard: boolean): string[] =>
  layers.flatMap(({ route, handle }) => {
    if (handle.stack !== undefined && route === undefined) return routesIn(handle.stack, true);
    if (!isDashboard || typeof route?.path !== "string") return [];
    const { path, methods } = route;
    return Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`);
  });
