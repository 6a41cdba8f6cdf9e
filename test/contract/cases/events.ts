import type { ContractCase } from "./contract-cases.ts";
import { EVERYWHERE, MOCK_ONLY, PREPARED, WITH_DATA } from "./targets.ts";

const operation = "listEvents";
const path = "/v1/events";

interface Page {
  data: { id: number; type: string; state: string | null; detected_at: string }[];
  next_cursor: string | null;
  meta: { types: string[]; scope: { regions: string[] | null }; resume_cursor: string };
}

const read = (
  query: string,
  holds: (page: Page) => boolean = () => true,
  how: Partial<ContractCase> = {},
): ContractCase => ({
  operation,
  path: path + query,
  title: query || "without parameters",
  status: 200,
  targets: EVERYWHERE,
  holds: (page: Page) => isWhole(page) && holds(page),
  ...how,
});

/** True for every page. */
function isWhole({ data, next_cursor, meta }: Page): boolean {
  const isAscending = data.every(({ id }, index) => id > (data[index - 1]?.id ?? 0));
  return (
    isAscending &&
    data.every(({ type }) => meta.types.includes(type)) &&
    (next_cursor === null || next_cursor === meta.resume_cursor)
  );
}

/** Each correction is later than those before it, and its event says the same. */
function isPageOfCorrections({ data, next_cursor, meta }: CorrectionsPage): boolean {
  const isAscending = data.every(({ id }, index) => id > (data[index - 1]?.id ?? 0));
  return (
    isAscending &&
    data.every(({ event }) => event.data.corrected_at !== undefined) &&
    (next_cursor === null || next_cursor === meta.resume_cursor)
  );
}

interface CorrectionsPage {
  data: { id: number; event: { data: { corrected_at?: string } } }[];
  next_cursor: string | null;
  meta: { resume_cursor: string };
}

function misfit(query: string, targets: ContractCase["targets"], fault = query.split("=")[0]): ContractCase {
  return {
    operation,
    title: `?${query}`,
    path: `${path}?${query}`,
    status: 422,
    faults: [`query ${fault}`],
    isValidatedByMock: true,
    targets,
  };
}

const at = (time: string) => Date.parse(time);

export const eventsCases: ContractCase[] = [
  read(""),
  read("?type={event_type}&limit=2", ({ data, meta }) => data.length <= 2 && meta.types.length === 1, {
    example: "more_to_come",
  }),
  read("?state=TX,%20ok&state=TX", ({ data, meta: { scope } }) => {
    const isEither = (state: string | null) => state === "TX" || state === "OK";
    return data.every(({ state }) => isEither(state)) && (scope.regions ?? ["none"]).every(isEither);
  }),
  read("?since=2026-11-20T00:00:00%2B01:00", ({ data }) =>
    data.every(({ detected_at }) => at(detected_at) >= at("2026-11-19T23:00:00Z")),
  ),
  read("?cursor={cursor}", undefined, { example: "no_more_now" }),
  read("?since=2099-01-01T00:00:00Z", ({ data, next_cursor }) => data.length === 0 && next_cursor === null),
  {
    ...read("?state=CA", ({ data, meta }) => data.length === 0 && meta.scope.regions?.length === 0),
    title: "a state outside the plan's regions",
    sender: "plan_of_brokers_in_texas",
    targets: PREPARED,
  },
  {
    ...read("", ({ data, meta }) => data.every(({ state }) => state === "TX") && meta.types.length === 3),
    title: "only the plan's types and regions",
    sender: "plan_of_brokers_in_texas",
    targets: PREPARED,
  },
  read("?watchlist={watchlist}", undefined, { targets: PREPARED }),
  {
    operation,
    title: "a watchlist of another account",
    path: "/v1/events?watchlist=9007199254740991",
    status: 404,
    code: "not_found",
    targets: PREPARED,
  },
  ...["since=soon", "since=2026-11-20", "since=2026-02-30T00:00:00Z", "since=2026-11-20T00:00:00"].map(
    (query) => misfit(query, EVERYWHERE),
  ),
  ...["limit=0", "limit=1001", "limit=-1", "limit=ten", "limit=1.5"].map((query) =>
    misfit(query, EVERYWHERE),
  ),
  misfit("type=sold", EVERYWHERE, "type 0"),
  misfit("type={event_type},sold", EVERYWHERE, "type 1"),
  misfit("state=Texas", EVERYWHERE, "state 0"),
  read("?usdot={dot},%200001&limit=2", ({ data }) => data.length <= 2),
  misfit("usdot=TX", EVERYWHERE, "usdot 0"),
  misfit("state=TX,ZZ", WITH_DATA, "state 1"),
  ...["limit=1e2", "limit=1&limit=2", "cursor=", "since=", "since=2026-11-20T25:00:00Z"].map((query) =>
    misfit(query, WITH_DATA),
  ),
  // Not a cursor of this service and this account.
  ...["cursor=1", "cursor=ZXYxLjQ4MTUx", "cursor={cursor}x"].map((query) => misfit(query, WITH_DATA)),
  {
    operation,
    title: "a query parameter it does not have",
    path: `${path}?page=2`,
    status: 422,
    faults: ["query page"],
    example: "unknown_parameter",
    targets: EVERYWHERE,
  },
  {
    operation,
    title: "an event type the plan lacks",
    path: `${path}?type=revocation_pending`,
    sender: "plan_of_brokers_in_texas",
    status: 403,
    code: "not_entitled",
    targets: PREPARED,
  },
  {
    // One detection makes all events of a service stale: listEvents.test.ts has that case.
    operation,
    title: "a detection that is too old",
    path,
    status: 503,
    code: "stale_source",
    targets: MOCK_ONLY,
  },
  {
    operation: "listEventCorrections",
    title: "without parameters",
    path: `${path}/corrections`,
    status: 200,
    targets: EVERYWHERE,
    holds: isPageOfCorrections,
  },
  {
    operation: "listEventCorrections",
    title: "of a type, a state and a time",
    path: `${path}/corrections?type={event_type}&state=TX&since=2026-11-01T00:00:00Z&limit=2`,
    status: 200,
    targets: EVERYWHERE,
    holds: isPageOfCorrections,
  },
  ...(
    [
      ["limit=0", EVERYWHERE],
      ["since=soon", EVERYWHERE],
      ["cursor={cursor}", WITH_DATA],
    ] as const
  ).map(
    ([query, targets]): ContractCase => ({
      ...misfit(query, targets),
      operation: "listEventCorrections",
      path: `${path}/corrections?${query}`,
    }),
  ),
  {
    operation: "listEventCorrections",
    title: "an event type the plan lacks",
    path: `${path}/corrections?type=revocation_pending`,
    sender: "plan_of_brokers_in_texas",
    status: 403,
    code: "not_entitled",
    targets: PREPARED,
  },
  {
    operation: "readEvent",
    title: "an event",
    path: `${path}/{event}`,
    status: 200,
    targets: EVERYWHERE,
    holds: ({ id }: { id: number }) => id > 0,
  },
  {
    operation: "readEvent",
    title: "an unknown event",
    path: `${path}/9007199254740991`,
    status: 404,
    code: "not_found",
    targets: EVERYWHERE,
  },
  ...["evt_48152", "0", "-1", "1.5"].map(
    (id): ContractCase => ({
      operation: "readEvent",
      title: `the event id ${id}`,
      path: `${path}/${id}`,
      status: 422,
      faults: ["path event_id"],
      isValidatedByMock: true,
      targets: EVERYWHERE,
    }),
  ),
  {
    operation: "readEvent",
    title: "a query parameter it does not have",
    path: `${path}/{event}?state=TX`,
    status: 422,
    faults: ["query state"],
    example: "unknown_parameter",
    targets: EVERYWHERE,
  },
];
