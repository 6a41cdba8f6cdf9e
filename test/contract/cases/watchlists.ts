import type { ContractCase } from "./contract-cases.ts";
import { answered, misfit, ofBody, type Request } from "./shapes.ts";
import { EVERYWHERE, MOCK_ONLY, PREPARED, SERVICE_ONLY, WITH_DATA } from "./targets.ts";

const JSON_BODY = { "Content-Type": "application/json" };

const posted = (
  operation: string,
  method: "POST" | "PUT" | "PATCH",
  path: string,
  body: unknown,
): Request => ({
  operation,
  method,
  path,
  headers: JSON_BODY,
  body,
});

const LIST = "/v1/watchlists/{watchlist}";
const NUMBERS = { usdots: ["{dot}"], dockets: ["MC-99999999", "hello"] };

const listWatchlists: Request = { operation: "listWatchlists", path: "/v1/watchlists" };
const createWatchlist = posted("createWatchlist", "POST", "/v1/watchlists", { name: "Clients" });
const readWatchlist: Request = { operation: "readWatchlist", path: LIST };
const updateWatchlist = posted("updateWatchlist", "PATCH", LIST, {
  description: "Everyone whose invoices we buy",
});
const deleteWatchlist: Request = { operation: "deleteWatchlist", method: "DELETE", path: LIST };
const listWatchedCarriers: Request = { operation: "listWatchedCarriers", path: `${LIST}/carriers` };
const addWatchedCarriers = posted("addWatchedCarriers", "POST", `${LIST}/carriers`, NUMBERS);
const replaceWatchedCarriers = posted("replaceWatchedCarriers", "PUT", `${LIST}/carriers`, NUMBERS);
const removeWatchedCarriers = posted("removeWatchedCarriers", "POST", `${LIST}/carriers/remove`, NUMBERS);
const listCarrierChanges: Request = { operation: "listCarrierChanges", path: "/v1/carrier-changes" };

const OF_NUMBERS = [addWatchedCarriers, replaceWatchedCarriers, removeWatchedCarriers];
/** The requests on one list. The last one deletes it. */
const OF_LIST = [readWatchlist, updateWatchlist, listWatchedCarriers, ...OF_NUMBERS, deleteWatchlist];

/** Requests that need a key, and those that take an idempotency key. */
export const WATCHLIST_REQUESTS: readonly Request[] = [
  listWatchlists,
  createWatchlist,
  ...OF_LIST,
  listCarrierChanges,
];
export const KEYED_WATCHLIST_REQUESTS: readonly Request[] = [createWatchlist, ...OF_NUMBERS];

type Changed = { added: number; unknown: string[]; invalid: string[]; carriers: number };

const withoutList = (request: Request): ContractCase[] => [
  {
    ...request,
    title: "a list of another account",
    path: request.path.replace("{watchlist}", "9007199254740991"),
    status: 404,
    code: "not_found",
    targets: PREPARED,
  },
  {
    ...request,
    title: "an id that is no number",
    path: request.path.replace("{watchlist}", "mine"),
    status: 422,
    faults: ["path watchlist_id"],
    isValidatedByMock: true,
    targets: PREPARED,
  },
];

export const watchlistCases: ContractCase[] = [
  answered(listWatchlists, "lists and the limit", { targets: EVERYWHERE }),
  {
    ...listWatchlists,
    title: "a query parameter it does not have",
    path: "/v1/watchlists?name=Clients",
    status: 422,
    faults: ["query name"],
    example: "unknown_parameter",
    targets: EVERYWHERE,
  },
  answered(createWatchlist, "a name", { status: 201 }),
  answered(createWatchlist, "no note", { status: 201, body: { name: "Clients", description: null } }),
  answered(createWatchlist, "the 101st list", {
    status: 400,
    code: "watchlist_limit_reached",
    sender: "full_account",
  }),
  misfit(createWatchlist, "no name", { body: {}, faults: ["body name"] }),
  misfit(createWatchlist, "a name that is too long", {
    body: { name: "x".repeat(101) },
    faults: ["body name"],
  }),
  answered(createWatchlist, "a blank name", {
    body: { name: " " },
    status: 422,
    faults: ["body name"],
    targets: SERVICE_ONLY,
  }),
  ...ofBody(createWatchlist, 40_000),
  answered(readWatchlist, "a list"),
  answered(updateWatchlist, "a note"),
  misfit(updateWatchlist, "nothing to change", { body: {}, faults: ["body"] }),
  ...ofBody(updateWatchlist, 40_000),
  answered(listWatchedCarriers, "a page", { path: `${LIST}/carriers?limit=5` }),
  misfit(listWatchedCarriers, "limit 0", { path: `${LIST}/carriers?limit=0`, faults: ["query limit"] }),
  answered(listWatchedCarriers, "a foreign cursor", {
    path: `${LIST}/carriers?cursor=mine`,
    status: 422,
    faults: ["query cursor"],
    targets: SERVICE_ONLY,
  }),
  ...OF_NUMBERS.flatMap((request) => [
    answered(request, "USDOT and docket numbers", {
      holds: ({ unknown, invalid }: Changed) =>
        unknown.join() === "MC-99999999" && invalid.join() === "hello",
    }),
    answered(request, "no number", { body: {}, status: 422, faults: ["body"], targets: SERVICE_ONLY }),
    misfit(request, "numbers that are no text", { body: { usdots: [1] }, faults: ["body usdots 0"] }),
    ...ofBody(request, 530_000),
  ]),
  ...[addWatchedCarriers, replaceWatchedCarriers].flatMap((request) => [
    answered(request, "more carriers than the plan allows", {
      status: 400,
      code: "watch_limit_reached",
      sender: "plan_without_watching",
    }),
    answered(request, "more rows than are left", {
      status: 429,
      code: "quota_exceeded",
      sender: "spent_quota",
    }),
  ]),
  ...OF_LIST.flatMap(withoutList),
  answered(listCarrierChanges, "a page", {
    path: "/v1/carrier-changes?limit=5&category=contact",
    targets: EVERYWHERE,
  }),
  ...["limit=1001", "since=yesterday", "usdot=MC1", "watchlist=0"].map((query) =>
    misfit(listCarrierChanges, query, {
      path: `/v1/carrier-changes?${query}`,
      faults: [query.startsWith("usdot") ? "query usdot 0" : `query ${query.split("=")[0]}`],
      targets: EVERYWHERE,
    }),
  ),
  answered(listCarrierChanges, "a carrier on no list", {
    path: "/v1/carrier-changes?usdot=99999999",
    status: 422,
    faults: ["query usdot 0"],
    targets: WITH_DATA,
  }),
  answered(listCarrierChanges, "a list of another account", {
    path: "/v1/carrier-changes?watchlist=9007199254740991",
    status: 404,
    code: "not_found",
  }),
  answered(listCarrierChanges, "changes that are not fresh", {
    status: 503,
    code: "stale_source",
    targets: MOCK_ONLY,
  }),
  answered(listCarrierChanges, "a month that is not paid for", {
    status: 429,
    code: "quota_exceeded",
    targets: MOCK_ONLY,
  }),
  answered(deleteWatchlist, "a list", { status: 204 }),
];
