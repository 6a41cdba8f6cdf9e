import { EVERYWHERE, PREPARED, SERVICE_ONLY, WITH_DATA } from "./contract-case-targets.ts";
import type { ContractCase } from "./contract-cases.ts";

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

export const carrierCases: ContractCase[] = [
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
