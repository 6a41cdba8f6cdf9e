// `npm run test:pooler` runs tests with a pooler between the service and its database, see test/pooler/run.ts.

/** The pooler of this run, as host:port; undefined in an ordinary run. */
const POOLER = process.env.TEST_POOLER;
const KNOWS_NAMES = process.env.TEST_POOLER_NAMES !== "off";

/** Whether services of this run reach their database through a pooler. Tests of sessions are skipped then. */
export const isPooled = POOLER !== undefined;

interface Addresses {
  url: string;
  directUrl: string | null;
  namesStatements: boolean;
}

/** The addresses with the pooler of this run, if it has one. */
export function behindPooler({ url, directUrl, namesStatements }: Addresses): Addresses {
  if (POOLER === undefined) return { url, directUrl, namesStatements };
  const pooled = new URL(url);
  pooled.host = POOLER;
  return {
    url: pooled.href,
    directUrl: directUrl ?? url,
    namesStatements: namesStatements && KNOWS_NAMES,
  };
}
