// Malformed and hostile requests: none may cause an internal error, and every answer is one of the contract.
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ContractCase } from "../../../contract/cases/contract-cases.ts";
import { validateProblem } from "../../../contract/prism/contract-document.ts";
import { expectContract } from "../../../contract/prism/expect-contract.ts";
import { type SeededService, startSeededService } from "../../../contract/prism/seeded-service.ts";
import { jsonOf, sendRaw } from "../../../support/network/raw-http.ts";
import { header, hosts, line, request } from "./hostile-values.ts";

let service: SeededService;

beforeAll(async () => {
  service = await startSeededService();
});
afterAll(() => service.stop());

/** Longer than any of these takes: a request that takes it hangs. */
const ANSWER_MS = 15_000;

/** The process survived, and answers a normal request. */
async function expectService(): Promise<void> {
  const headers = { "X-API-Key": service.keys.customer };
  const answer = await fetch(`${service.url}/v1/feeds/us_brokers/records?page_size=2`, { headers });
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(2);
}

it("requests made from the contract with hostile values are answered by the contract, never with 500", async () => {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ operation, path, query, headers, senders }) => {
      const url = `${service.url}${path}?${query}`;
      const keys = senders.map((sender): [string, string] => [
        "X-API-Key",
        service.facts.keyOf(sender) ?? "",
      ]);
      const sent = await fetch(url, {
        headers: [...Object.entries(headers), ...keys],
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const answer = { status: sent.status, headers: sent.headers, text: await sent.text() };
      statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1);
      expect(answer.status).not.toBe(500);
      // A path parameter may be empty or undecodable, or have text that the URL parser removes: then no operation
      // matches.
      const isElsewhere =
        answer.status === 404
          ? answer.text.includes("There is nothing at")
          : answer.status === 400 && !sent.headers.has("x-ratelimit-limit");
      const feed = path.split("/")[3];
      const one = { operation: isElsewhere ? null : operation, feed, status: answer.status };
      expectContract(one as ContractCase, answer);
    }),
    { numRuns: 1_500 },
  );
  // The generator is useful only while it reaches the code behind the validation.
  for (const status of [200, 304, 400, 401, 403, 404, 422, 429, 503])
    expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
});

/** The answer to Expect: 100-continue, before the real one. */
const isGoOn = (answer: string): boolean => answer === "HTTP/1.1 100 Continue\r\n\r\n";

function expectProperAnswer(answer: string): void {
  expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  expect(answer).toMatch(/^x-request-id: \S+\r$/im);
  if (!/^HTTP\/1\.1 4/.test(answer) || /^HTTP\/1\.1 422/.test(answer)) return;
  expect(answer).toMatch(/^content-type: application\/problem\+json\r$/im);
  validateProblem(jsonOf(answer));
  expect(validateProblem.errors ?? null).toBe(null);
}

it("bytes that are hardly HTTP are answered with a problem or a normal answer, never with 500", async () => {
  const port = Number(new URL(service.url).port);
  // How much of the request arrives before its client closes its side; mostly all of it.
  const cut = fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  );
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      line,
      hosts,
      fc.array(header, { maxLength: 4 }),
      fc.string(),
      cut,
      async (first, host, headers, body, part) => {
        // After a valid request the server would wait for the next one.
        const lines = [first, ...host, ...headers, "Connection: close", "", body].join("\r\n");
        const whole = Buffer.from(lines.replaceAll("{key}", service.keys.customer), "latin1");
        const bytes = whole.subarray(0, Math.ceil(whole.length * part));
        const sent = await sendRaw(port, bytes, { giveUpMs: 2_000, isAll: part < 1 });
        // An empty line among the headers makes two requests of one.
        const answers = sent.split(/(?=HTTP\/1\.1 \d{3} )/);
        for (const answer of answers) if (answer !== "" && !isGoOn(answer)) expectProperAnswer(answer);
        if (sent !== "") answered++;
      },
    ),
    { numRuns: 700 },
  );
  // All except empty requests, and those whose clients left before the request was complete.
  expect(answered).toBeGreaterThan(500);
  await expectService();
});
