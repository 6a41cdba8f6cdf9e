// The task that every client does, whatever made it: list the feeds, read a feed page by page, bring a copy of an earlier
// version up to date, register a webhook endpoint, and verify a delivery to it.

/** The program's first argument, as JSON. */
export interface Trial {
  baseUrl: string;
  key: string;
  /** A feed with two versions. */
  feed: "us_brokers";
  /** An https address that receives deliveries, and one that returns the last of them. */
  hookUrl: string;
  lastDeliveryUrl: string;
}

/** The program's output, as JSON: the same for every client. */
export interface Outcome {
  feeds: string[];
  /** The ids of all pages of two records. */
  listed: string[];
  /** The ids of a copy of the oldest version after the changes since then. */
  synced: string[];
  /** Kinds of changes that came. */
  ops: string[];
  /** Whether the delivery is genuine, and whether a changed one is refused. */
  isVerified: boolean;
  isForgeryRefused: boolean;
}

export interface Delivery {
  headers: Record<string, string>;
  body: string;
}

interface Listed {
  record_id: string;
}
interface Page {
  data: Listed[];
  has_more: boolean;
  meta: { version: number };
}
interface Changes {
  data: { op: string; record_id: string }[];
  next_cursor: string | null;
}

/** The calls of a generated client that the task makes, each with its own arguments. */
export interface Client {
  listFeeds(): Promise<{ data: { code: string }[] }>;
  readRecords(page: number, version?: number): Promise<Page>;
  listVersions(): Promise<{ data: { version: number }[] }>;
  readChanges(since: { version: number } | { cursor: string }): Promise<Changes>;
  register(url: string): Promise<{ id: number; secret?: string | null | undefined }>;
  sendTest(endpoint: number): Promise<unknown>;
  /** Throws, at once or later, if the delivery is not genuine. */
  verify(secret: string, delivery: Delivery): unknown;
}

/** The trial that this program was started with. */
export const trialOfProgram = (): Trial => JSON.parse(process.argv[2] ?? "") as Trial;

export async function doTask(client: Client, trial: Trial): Promise<Outcome> {
  const { data: feeds } = await client.listFeeds();
  const listed = await listRecords(client);
  const { data: versions } = await client.listVersions();
  const oldest = versions.at(-1)?.version ?? 0;
  const copy = new Set(await listRecords(client, oldest));
  const ops = new Set<string>();
  let since: Parameters<Client["readChanges"]>[0] | null = { version: oldest };
  while (since !== null) {
    const { data, next_cursor }: Changes = await client.readChanges(since);
    for (const { op, record_id } of data) {
      ops.add(op);
      if (op === "removed") copy.delete(record_id);
      else copy.add(record_id);
    }
    since = next_cursor === null ? null : { cursor: next_cursor };
  }
  const { id, secret } = await client.register(trial.hookUrl);
  await client.sendTest(id);
  const delivery = await lastDelivery(trial);
  return {
    feeds: feeds.map(({ code }) => code),
    listed,
    synced: [...copy].sort(),
    ops: [...ops].sort(),
    ...(await judged((one) => client.verify(secret ?? "", one), delivery)),
  };
}

async function listRecords(client: Client, asked?: number): Promise<string[]> {
  const ids: string[] = [];
  let version = asked;
  for (let page = 1, hasMore = true; hasMore; page++) {
    const read = await client.readRecords(page, version);
    ids.push(...read.data.map(({ record_id }) => record_id));
    hasMore = read.has_more;
    version = read.meta.version;
  }
  return ids.sort();
}

/** The answer comes when a delivery has arrived. */
async function lastDelivery({ lastDeliveryUrl }: Trial): Promise<Delivery> {
  return (await (await fetch(lastDeliveryUrl)).json()) as Delivery;
}

async function judged(
  verify: (delivery: Delivery) => unknown,
  delivery: Delivery,
): Promise<Pick<Outcome, "isVerified" | "isForgeryRefused">> {
  const passes = async (one: Delivery): Promise<boolean> => {
    try {
      await verify(one);
      return true;
    } catch {
      return false;
    }
  };
  const forged = { ...delivery, body: delivery.body.replace("test", "tost") };
  const isForgeryRefused = forged.body !== delivery.body && !(await passes(forged));
  return { isVerified: await passes(delivery), isForgeryRefused };
}
