import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { AMPLE, numbersFrom, publishBrokers } from "../../sdk/test/brokers.ts";
import { folder, printed, service, useWheel } from "./python.ts";

useWheel();

/** Where to end the bytes of an answer; undefined for nowhere. */
type Cut = (head: string) => number | undefined;

/** Passes each connection on to the service, and ends its answer where the next cut says. */
async function startCuttingRelay(cuts: Cut[]) {
  const server = createServer({ allowHalfOpen: true }, async (client) => {
    const upstream = connect(Number(new URL(service.url).port), "127.0.0.1");
    client.pipe(upstream);
    const answer = await buffer(upstream);
    const head = answer.toString("latin1").split("\r\n\r\n")[0] ?? "";
    client.end(answer.subarray(0, cuts.shift()?.(head)));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

// http.client takes headers that break off for all there are: the body seemed empty, and a file was saved without its end.
it("asks again when an answer breaks off in its headers, also for the rest of a file", async () => {
  const { key } = await service.createAccount(AMPLE);
  await publishBrokers(service, numbersFrom(4_400_000, 20));
  const url = `${service.url}/v1/feeds/us_brokers/export.csv`;
  const whole = await (await fetch(url, { headers: { "X-API-Key": key } })).text();
  const inHead: Cut[] = [
    (head) => head.indexOf("\r\n") + 2,
    (head) => Math.floor(head.length / 2),
    (head) => head.length + 2,
    // The size of a smaller file.
    (head) => /.*Content-Range: [^/]*\/\d|.*Cost/s.exec(head)?.[0].length,
  ];
  const inBody: Cut = (head) => head.length + 600;
  const nowhere: Cut = () => undefined;
  const called = inHead.flatMap((cut) => [cut, nowhere]);
  const cuts = [...called, ...called].concat(inHead.flatMap((cut) => [inBody, cut, nowhere]));
  const relay = await startCuttingRelay(cuts);
  const given = { baseUrl: relay.url, key, folder, times: inHead.length };
  const found = await printed("broken_headers.py", given).finally(relay.close);
  expect(found).toEqual({
    rows: inHead.map(() => AMPLE.rowsPerMonth),
    codes: inHead.map(() => "not_found"),
    saved: inHead.map(() => whole),
  });
  expect(cuts).toEqual([]);
});
