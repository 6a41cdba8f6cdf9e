// A customer's program on a client made by oazapfts.
import { defaults, exportFeed, listFeeds, readRecords } from "./client.ts";

const { url, key, feed } = JSON.parse(process.argv[2] ?? "") as { url: string; key: string; feed: string };
defaults.baseUrl = url;
const as = (apiKey: string) => ({ headers: { "X-API-Key": apiKey } });

const page = await readRecords(feed, { pageSize: 5 }, as(key));
if (page.status !== 200) throw new Error(`records: ${page.status}`);
const csv = await exportFeed(feed, {}, as(key));
if (csv.status !== 200) throw new Error(`export: ${csv.status}`);
const refused = await listFeeds(as("none"));
if (refused.status !== 401) throw new Error(`feeds without a key: ${refused.status}`);

const records = page.data.data.map((record) => record.dot_number);
const [header] = csv.data.split("\r\n");
process.stdout.write(JSON.stringify({ records, header, refused: refused.data.code }));
