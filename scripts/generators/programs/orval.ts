// A customer's program on a client made by orval.
import { exportFeed, listFeeds, readRecords } from "./client.ts";

const { key, feed } = JSON.parse(process.argv[2] ?? "") as { key: string; feed: string };
const as = (apiKey: string): RequestInit => ({ headers: { "X-API-Key": apiKey } });

const page = await readRecords(feed, { page_size: 5 }, as(key));
if (page.status !== 200) throw new Error(`records: ${page.status}`);
const csv = await exportFeed(feed, {}, as(key));
if (csv.status !== 200) throw new Error(`export: ${csv.status}`);
const refused = await listFeeds(as("none"));
if (refused.status !== 401) throw new Error(`feeds without a key: ${refused.status}`);

const records = page.data.data.map((record) => record.dot_number);
const [header] = csv.data.split("\r\n");
process.stdout.write(JSON.stringify({ records, header, refused: refused.data.code }));
