import { describe, expect, it } from "vitest";
import type { components } from "../../../../../src/generated/types.ts";
import type { ContractCase } from "../../../../contract/cases/contract-cases.ts";
import { expectContract } from "../../../../contract/prism/expect-contract.ts";
import { putEvents } from "../../../../support/events/events.ts";
import { key, list, PLAN, SEEN_AT, service, useRecordedChanges } from "./recorded-changes.ts";

useRecordedChanges();

describe("events of a watchlist", () => {
  const idsOf = async (query: string, status = 200, sender = key) => {
    const answer = await service.get(`/v1/events?${query}`, sender);
    const text = await answer.text();
    expectContract({ operation: "listEvents", status } as ContractCase, {
      status: answer.status,
      headers: answer.headers,
      text,
    });
    return JSON.parse(text) as components["schemas"]["EventsOut"];
  };

  it("are of its carriers, and a page looks at a bounded part of the events", async () => {
    const at = { detectedAt: SEEN_AT };
    const ids = await putEvents(service.context.db, [
      { usdot: 101, ...at },
      { usdot: 103, ...at },
      { usdot: 102, ...at },
      { usdot: 999, ...at },
    ]);
    const of = ({ data }: components["schemas"]["EventsOut"]) => data.map(({ id }) => id);
    expect(of(await idsOf(`watchlist=${list}`))).toEqual([ids[0], ids[2]]);
    expect(of(await idsOf(`watchlist=${list}&usdot=102,103`))).toEqual([ids[2]]);
    const { data, next_cursor } = await idsOf(`watchlist=${list}&limit=1`);
    expect(data).toHaveLength(1);
    expect(of(await idsOf(`watchlist=${list}&cursor=${next_cursor}`))).toEqual([ids[2]]);
    await service.context.db.pool.query("SELECT setval('event_id_seq', $1)", [(ids[3] ?? 0) + 100_000]);
    const [last] = await putEvents(service.context.db, [{ usdot: 102, ...at }]);
    const short = await idsOf(`watchlist=${list}`);
    expect(of(short)).toEqual([ids[0], ids[2]]);
    const rest = await idsOf(`watchlist=${list}&cursor=${short.next_cursor}`);
    expect([of(rest), rest.next_cursor]).toEqual([[last], null]);
  });

  it("are of the account's own lists", async () => {
    const { key: stranger } = await service.createAccount(PLAN);
    await idsOf(`watchlist=${list}`, 404, stranger);
    await idsOf("watchlist=0", 422);
  });
});
