import { EVERYWHERE, PREPARED, WITH_DATA } from "./contract-case-targets.ts";
import type { ContractCase } from "./contract-cases.ts";

const operation = "lookUpCarrier";
const at = (dot: string) => `/v1/carriers/${dot}`;

interface Carrier {
  usdot: string;
  records: { record: { dot_number: string } }[];
}

export const carrierCases: ContractCase[] = [
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
