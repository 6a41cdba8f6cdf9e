// The answers of the operations on watchlists, for rate-cases.ts.
import {
  bodyCasesOf,
  casesOf,
  FRESH_DOT,
  keyedCasesOf,
  type OperationId,
  postedCasesOf,
  type RateCase,
} from "./rate-cases.ts";

const NUMBERS = { usdots: [FRESH_DOT] };
const LISTS = "/v1/watchlists";
const LIST = `${LISTS}/{watchlist}`;
const NO_LIST = `${LISTS}/1000000`;
const TOO_LARGE = 530_000;

type Request = Required<Pick<RateCase, "method">> & Pick<RateCase, "body"> & { end?: string };

const listCasesOf = (
  operation: OperationId,
  success: string,
  { method, body, end = "" }: Request,
): RateCase[] => [
  ...postedCasesOf(operation, success, { method, body, path: LIST + end }, "watchlist"),
  { operation, method, body, path: NO_LIST + end, answer: "not_found" },
];

/** The cases of an operation that takes numbers of carriers. */
const numbersCasesOf = (operation: OperationId, method: "POST" | "PUT", end: string): RateCase[] => {
  const request = { method, path: LIST + end } as const;
  return [
    ...listCasesOf(operation, "200", { method, end, body: NUMBERS }),
    ...bodyCasesOf(operation, request, TOO_LARGE),
    ...keyedCasesOf(operation, { ...request, body: NUMBERS }),
  ];
};

/** The cases of an operation that puts carriers on a list. */
const addingCasesOf = (operation: OperationId, method: "POST" | "PUT"): RateCase[] => {
  const request = { operation, method, path: `${LIST}/carriers`, body: NUMBERS };
  return [
    ...numbersCasesOf(operation, method, "/carriers"),
    { ...request, answer: "watch_limit_reached", plan: { watchedCarriers: 0 } },
    { ...request, answer: "quota_exceeded", plan: { rowsPerMonth: 0 }, waitSeconds: 820_785 },
  ];
};

const NAMED = { method: "POST", path: LISTS, body: { name: "Clients" } } as const;
const CHANGES = { operation: "listCarrierChanges", path: "/v1/carrier-changes" } as const;

export const WATCHLIST_CASES: readonly RateCase[] = [
  ...casesOf("listWatchlists", LISTS, "x=1", "watchlist"),
  ...postedCasesOf("createWatchlist", "201", NAMED, "watchlist"),
  ...bodyCasesOf("createWatchlist", NAMED),
  ...keyedCasesOf("createWatchlist", NAMED),
  { operation: "createWatchlist", ...NAMED, answer: "watchlist_limit_reached", watchlists: 100 },
  ...listCasesOf("readWatchlist", "200", { method: "GET" }),
  ...listCasesOf("updateWatchlist", "200", { method: "PATCH", body: { name: "A" } }),
  ...bodyCasesOf("updateWatchlist", { method: "PATCH", path: LIST }),
  ...listCasesOf("deleteWatchlist", "204", { method: "DELETE" }),
  ...listCasesOf("listWatchedCarriers", "200", { method: "GET", end: "/carriers" }),
  ...addingCasesOf("addWatchedCarriers", "POST"),
  ...addingCasesOf("replaceWatchedCarriers", "PUT"),
  ...numbersCasesOf("removeWatchedCarriers", "POST", "/carriers/remove"),
  ...casesOf(CHANGES.operation, CHANGES.path, "limit=0", "detection"),
  { ...CHANGES, path: `${CHANGES.path}?watchlist=1000000`, answer: "not_found" },
  { ...CHANGES, answer: "stale_source", detectedOf: "2026-11-10", waitSeconds: 600 },
  { ...CHANGES, answer: "quota_exceeded", plan: { rowsPerMonth: 0 }, isUnpaid: true, waitSeconds: 820_785 },
];
