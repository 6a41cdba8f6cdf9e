import type { ContractCase } from "./contract-cases.ts";
import { EVERYWHERE } from "./targets.ts";

const operation = "listFeeds";
const path = "/v1/feeds";

export const feedsCases: ContractCase[] = [
  {
    operation,
    path,
    title: "the feeds of the plan",
    status: 200,
    targets: EVERYWHERE,
    holds: ({ data }: { data: { code: string }[] }) =>
      data.length > 0 && new Set(data.map(({ code }) => code)).size === data.length,
  },
  {
    operation,
    title: "a query parameter it does not have",
    path: `${path}?colour=red`,
    status: 422,
    faults: ["query colour"],
    targets: EVERYWHERE,
  },
];
