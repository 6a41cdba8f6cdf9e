// A customer's program on a client made by swagger-typescript-api.
import { Api, type HttpResponse, type Problem } from "./client.ts";

const { url, key, feed } = JSON.parse(process.argv[2] ?? "") as { url: string; key: string; feed: string };
const as = (apiKey: string) =>
  new Api({ baseUrl: url, baseApiParams: { headers: { "X-API-Key": apiKey } } }).v1;

const page = await as(key).readRecords(feed, { page_size: 5 });
const csv = await as(key).exportFeed(feed, {}, { format: "text" });
const refused = await as("none")
  .listFeeds()
  .then(
    () => null,
    (failed: HttpResponse<unknown, Problem>) => failed.error,
  );
if (refused === null) throw new Error("The feeds were listed without a key");

const records = page.data.data.map((record) => record.dot_number);
const [header] = csv.data.split("\r\n");
process.stdout.write(JSON.stringify({ records, header, refused: refused.code }));
