import type { ContractCase } from "./contract-cases.ts";
import { EVERYWHERE } from "./targets.ts";

const operation = "listSources";
const path = "/v1/sources";

interface Sources {
  data: { imported: boolean; as_of: string | null; rows: number | null }[];
}

export const sourcesCases: ContractCase[] = [
  {
    operation,
    path,
    title: "every registry file, and whether it was imported",
    status: 200,
    targets: EVERYWHERE,
    holds: ({ data }: Sources) =>
      data.every(
        ({ imported, as_of, rows }) => (as_of !== null) === imported && (rows !== null) === imported,
      ),
  },
  {
    operation,
    title: "a query parameter it does not have",
    path: `${path}?source=census`,
    status: 422,
    faults: ["query source"],
    targets: EVERYWHERE,
  },
];
