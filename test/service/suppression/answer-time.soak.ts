import { createRandom } from "@trucking-data-feed/registry-generator/random";
import { expect, it } from "vitest";
import { newAddress, postOptOut } from "../../support/removals/opt-outs.ts";
import { startTestService } from "../../support/service.ts";

const PAIRS = 5_000;
const LANES = 4;
const FIRST_USDOT = 3_000_000;
const phoneOf = (index: number): string => `512${2_000_000 + index}`;

/** Welch's t of two samples: how certainly their means differ. */
function welch(a: readonly number[], b: readonly number[]): number {
  const mean = (sample: readonly number[]) => sample.reduce((sum, value) => sum + value, 0) / sample.length;
  const spread = (sample: readonly number[]) => {
    const middle = mean(sample);
    return (
      sample.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (sample.length - 1) / sample.length
    );
  };
  return (mean(a) - mean(b)) / Math.sqrt(spread(a) + spread(b));
}

it("5,000 requests that remove a business take as long as 5,000 without a match, and have the same answer", async () => {
  const service = await startTestService({ env: { TRUST_PROXY_HOPS: "1" } });
  try {
    await service.context.db.bulkPool.query(
      `INSERT INTO census (usdot, status_code, general_freight, phone)
       SELECT $1::int + index, 'A', false, '512' || (2000000 + index) FROM generate_series(0, $2::int - 1) AS index`,
      [FIRST_USDOT, PAIRS],
    );
    const times: Record<"found" | "nothing", number[]> = { found: [], nothing: [] };
    const bodies = new Set<string>();
    const ask = async (kind: "found" | "nothing", phone: string) => {
      const startedAt = performance.now();
      const answer = await postOptOut(service.url, { phone }, newAddress());
      const text = await answer.text();
      times[kind].push(performance.now() - startedAt);
      bodies.add(`${answer.status} ${text.replace(/\d{14}/, "N")}`);
    };
    let next = 0;
    const lane = async () => {
      for (let index = next++; index < PAIRS; index = next++) {
        const pair = [() => ask("found", phoneOf(index)), () => ask("nothing", phoneOf(PAIRS + index))];
        if (createRandom(1, index, 0).next() < 0.5) pair.reverse();
        for (const send of pair) await send();
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(bodies).toEqual(new Set(['202 {"request_id":N,"status":"suppressed"}']));
    const { rows } = await service.context.db.pool.query<{ count: number }>(
      "SELECT count(*) FROM suppressed_business",
    );
    expect(rows[0]?.count).toBe(PAIRS);
    const t = welch(times.found, times.nothing);
    process.stdout.write(`Welch's t over ${PAIRS} pairs: ${t.toFixed(2)}\n`);
    expect(Math.abs(t)).toBeLessThan(4.5);
  } finally {
    await service.stop();
  }
});
