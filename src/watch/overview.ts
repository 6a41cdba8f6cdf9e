import { type AccessShown, listAccess } from "../accounts/access/requests.ts";
import { listNearQuota } from "../accounts/usage/quota-warnings.ts";
import { type ImportRun, listRuns } from "../importer/runs.ts";
import type { Context } from "../platform/context.ts";
import { listTroubledEndpoints, type TroubledEndpoint } from "../webhooks/endpoints/troubled.ts";
import { type Facts, readFacts } from "./facts.ts";
import { type Finding, findingsOf, type Verdict, verdictOf } from "./findings.ts";
import { type LivingProcess, listProcesses } from "./processes.ts";

const MOST_RUNS = 14;
/** Of requests, accounts and endpoints; commands list all. */
const MOST_SHOWN = 50;

/** What the operator's page shows. */
export interface Overview extends Facts {
  verdict: Verdict;
  findings: Finding[];
  /** The requests for access that wait, the oldest first. */
  accessRequests: AccessShown[];
  runs: ImportRun[];
  accounts: Awaited<ReturnType<typeof listNearQuota>>;
  endpoints: TroubledEndpoint[];
  processes: LivingProcess[];
}

export async function readOverview(context: Context): Promise<Overview> {
  const facts = await readFacts(context);
  const findings = findingsOf(facts, context.clock.now());
  return {
    ...facts,
    verdict: verdictOf(facts, findings),
    findings,
    accessRequests: await listAccess(context, { areAllWanted: false, most: MOST_SHOWN }),
    runs: await listRuns(context, MOST_RUNS),
    accounts: await listNearQuota(context, MOST_SHOWN),
    endpoints: await listTroubledEndpoints(context, MOST_SHOWN),
    processes: await listProcesses(context),
  };
}
