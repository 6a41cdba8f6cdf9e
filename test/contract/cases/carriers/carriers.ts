import type { ContractCase } from "../contract-cases.ts";
import { EVERYWHERE, MOCK_ONLY, PREPARED, SERVICE_ONLY, WITH_DATA } from "../targets.ts";
import { connectionsCases, timelineCases } from "./history.ts";

const operation = "lookUpCarrier";
const at = (dot: string) => `/v1/carriers/${dot}`;

interface Carrier {
  usdot: string;
  records: { record: { dot_number: string } }[];
}

export const lookUpCarriers = {
  operation: "lookUpCarriers",
  method: "POST",
  path: "/v1/carriers/lookup",
  headers: { "Content-Type": "application/json" },
  body: { usdots: ["{dot}"] },
} as const satisfies Partial<ContractCase>;

interface Lookups {
  data: { query: string; outcome: string; carrier: Carrier | null }[];
  summary: { rows_charged: number };
}

const manyCases: ContractCase[] = [
  {
    ...lookUpCarriers,
    title: "numbers of each kind",
    body: { usdots: ["{dot}", "99999999"], dockets: ["1004"] },
    status: 200,
    targets: EVERYWHERE,
    holds: ({ data, summary }: Lookups) =>
      data.map(({ outcome }) => outcome).join() === "found,not_found,invalid" &&
      data[0]?.carrier?.usdot === data[0]?.query &&
      summary.rows_charged === 1,
  },
  {
    ...lookUpCarriers,
    title: "a carrier of a feed whose data is too old",
    body: { usdots: ["{stale_dot}"] },
    status: 503,
    code: "stale_source",
    targets: PREPARED,
  },
  {
    ...lookUpCarriers,
    title: "text",
    headers: { "Content-Type": "text/plain" },
    status: 415,
    code: "unsupported_media_type",
    targets: PREPARED,
  },
  {
    ...lookUpCarriers,
    title: "a large body",
    body: { usdots: ["1".repeat(33_000)] },
    status: 413,
    code: "payload_too_large",
    targets: SERVICE_ONLY,
  },
  {
    ...lookUpCarriers,
    title: "a number instead of text",
    body: { usdots: [101] },
    status: 422,
    faults: ["body usdots 0"],
    isValidatedByMock: true,
    targets: EVERYWHERE,
  },
  {
    ...lookUpCarriers,
    title: "no number",
    body: { usdots: [] },
    status: 422,
    faults: ["body"],
    targets: WITH_DATA,
  },
];

const search = "searchCarriers";

const searchCases: ContractCase[] = [
  {
    operation: search,
    title: "a docket of nobody",
    path: "/v1/carriers?docket=MC-99999999&state=tx&limit=5",
    status: 200,
    targets: EVERYWHERE,
    holds: ({ data, meta }: { data: unknown[]; meta: { has_more: boolean } }) =>
      data.length === 0 && !meta.has_more,
  },
  ...["limit=0&name=company", "limit=51&name=company", "state=Texas&name=company"].map(
    (query): ContractCase => ({
      operation: search,
      title: query,
      path: `/v1/carriers?${query}`,
      status: 422,
      faults: [`query ${query.split("=")[0]}`],
      isValidatedByMock: true,
      targets: EVERYWHERE,
    }),
  ),
  ...["", "name=company&docket=MC-1"].map(
    (query): ContractCase => ({
      operation: search,
      title: query === "" ? "neither name nor docket" : "both name and docket",
      path: `/v1/carriers?${query}`,
      status: 422,
      faults: ["query"],
      targets: WITH_DATA,
    }),
  ),
  {
    operation: search,
    title: "a docket that cannot be read",
    path: "/v1/carriers?docket=1004",
    status: 422,
    faults: ["query docket"],
    targets: WITH_DATA,
  },
  {
    operation: search,
    title: "a query parameter it does not have",
    path: "/v1/carriers?name=company&feed=us_brokers",
    status: 422,
    faults: ["query feed"],
    example: "unknown_parameter",
    targets: EVERYWHERE,
  },
  {
    operation: search,
    title: "names that are not there yet",
    path: "/v1/carriers?name=company",
    status: 503,
    code: "unavailable",
    targets: MOCK_ONLY,
  },
  {
    operation: search,
    title: "a misspelled name",
    path: "/v1/carriers?name=TAMERACK%20FREIGHT",
    status: 200,
    targets: PREPARED,
    holds: ({ data: [first] }: { data: { company: string; match: string }[] }) =>
      first?.company === "TAMARACK FREIGHT INC" && first.match === "similar",
  },
  {
    operation: search,
    title: "a carrier of a feed whose data is too old",
    path: "/v1/carriers?docket={stale_docket}",
    status: 503,
    code: "stale_source",
    targets: PREPARED,
  },
];

export const carrierCases: ContractCase[] = [
  ...searchCases,
  ...timelineCases,
  ...connectionsCases,
  ...manyCases,
  {
    operation,
    title: "a carrier of a feed",
    path: at("{dot}"),
    status: 200,
    targets: EVERYWHERE,
    holds: ({ usdot, records }: Carrier) => records.every(({ record }) => record.dot_number === usdot),
  },
  {
    operation,
    title: "a number that no feed has",
    path: at("99999999"),
    status: 404,
    code: "not_found",
    targets: EVERYWHERE,
  },
  {
    operation,
    title: "a carrier of a feed whose data is too old",
    path: at("{stale_dot}"),
    status: 503,
    code: "stale_source",
    targets: PREPARED,
  },
  ...["abc", "123456789", "-1", "1.5", "12a", "%20"].map(
    (dot): ContractCase => ({
      operation,
      title: `the USDOT number ${dot}`,
      path: at(dot),
      status: 422,
      faults: ["path dot"],
      isValidatedByMock: true,
      targets: EVERYWHERE,
    }),
  ),
  {
    operation,
    title: "a number in other digits",
    path: at(encodeURIComponent("٤٢")),
    status: 422,
    faults: ["path dot"],
    targets: WITH_DATA,
  },
  {
    operation,
    title: "a query parameter it does not have",
    path: `${at("1")}?feed=us_brokers`,
    status: 422,
    faults: ["query feed"],
    example: "unknown_parameter",
    targets: EVERYWHERE,
  },
];
