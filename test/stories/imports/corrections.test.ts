// A file tells something false for a day. The next file takes it back, or an operator does.
import { appendFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import type { components } from "../../../src/generated/types.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { rollBack } from "../../../src/importer/roll-back.ts";
import { settableClock } from "../../support/clock.ts";
import { type RegistryFolders, registryFolders } from "../../support/registry/registry-folders.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import {
  isSignedWith,
  LOOPBACK_ENV,
  startTestDispatcher,
  untilIdle,
} from "../../support/webhooks/dispatching.ts";
import { type Received, type Receiver, startReceiver } from "../../support/webhooks/receiver.ts";

type Schemas = components["schemas"];

let folders: RegistryFolders;
let service: TestService;
let receiver: Receiver;
let key: string;

beforeAll(async () => {
  folders = await registryFolders({ carriers: 1_500, seed: 7, firstDay: "2026-10-05", days: 4 });
  service = await startTestService({ env: LOOPBACK_ENV, clock: settableClock("2026-10-05T18:00:00Z") });
  receiver = await startReceiver();
  const feeds = Object.fromEntries(FEEDS.map(({ code }) => [code, null]));
  ({ key } = await service.createAccount({ feeds, requestsPerMinute: 10_000, rowsPerMonth: 1_000_000 }));
});

afterAll(async () => {
  await receiver.close();
  await service.stop();
  await folders.close();
});

const importDay = async (day: number, dir = folders.day(day), isRelease = false) => {
  service.clock.set(`2026-10-0${5 + day}T18:00:00Z`);
  return importFolder(service.context, { dir, asOf: null, accept: new Set(), isRelease });
};

const corrections = async (query: string): Promise<Schemas["CorrectionsOut"]> =>
  (await service.get(`/v1/events/corrections?${query}`, key)).json() as Promise<Schemas["CorrectionsOut"]>;

/** Two active carriers of the registry without news. */
async function oldCarriers(): Promise<{ docket: string; usdot: number }[]> {
  const { rows } = await service.context.db.pool.query<{ docket: string; usdot: number }>(
    `SELECT authority.docket, authority.usdot FROM authority JOIN census USING (usdot)
     WHERE authority_class = 'carrier_property' AND authority.status = 'active' AND status_source = 'motus'
       AND census.country = 'US' AND census.state = 'TX'
       AND NOT EXISTS (SELECT FROM motus_authhist AS history WHERE history.docket = authority.docket
         AND changed_on > '2026-06-01')
       AND NOT EXISTS (SELECT FROM pending_revocation AS order_ WHERE order_.docket = authority.docket)
     ORDER BY usdot LIMIT 2`,
  );
  return rows;
}

type Company = Awaited<ReturnType<typeof oldCarriers>>[0];

const idOf = ({ headers }: Received): number => Number(String(headers["service-event-id"]).slice(4));

const PROPERTY = "Motor Carrier of Property (Except Household Goods)";

it("a false grant and a false order reach a subscriber of corrections when they are taken back", async () => {
  await importDay(0);
  const [{ docket, usdot }, ordered] = (await oldCarriers()) as [Company, Company];
  const usdots = [String(usdot), String(ordered.usdot)];
  const [subscriber, other] = await Promise.all(
    [true, false].map(async (corrections) => {
      const body = {
        url: `${receiver.url}/${corrections ? "subscriber" : "other"}`,
        event_types: ["new_authority_granted", "revocation_pending"],
        filters: { usdots },
        corrections,
      };
      return (await (
        await service.send("POST", "/v1/webhooks", { key, body })
      ).json()) as Schemas["WebhookOut"];
    }),
  );
  expect([subscriber?.corrections, other?.corrections]).toEqual([true, false]);
  const dispatcher = startTestDispatcher(service.context);
  const withGrant = (text: string) => `${text}${docket},${usdot},${PROPERTY},Active,Granted,20261006\n`;
  const falseDay = await folders.changed(1, "motus_authhist.csv", withGrant);
  await appendFile(
    path.join(falseDay, "motus_revokesuspend.csv"),
    `${ordered.docket.replace("MC", "MC-")},${ordered.usdot},${PROPERTY},20261006,Operating Authority Involuntary Suspension Notice,20261105\n`,
  );
  await importDay(1, falseDay);
  await untilIdle(service.context);
  const paths = receiver.received.map(({ path }) => path).sort();
  expect(paths).toEqual(["/other", "/other", "/subscriber", "/subscriber"]);

  await importDay(2);
  await untilIdle(service.context);
  const all = receiver.received.slice(4).sort((one, next) => idOf(one) - idOf(next));
  const [delivery, second, ...others] = all;
  expect(others).toEqual([]);
  expect(JSON.parse(second?.body.toString() ?? "")).toMatchObject({
    data: { correction: "withdrawn", event: { type: "revocation_pending", usdot: usdots[1] } },
  });
  const told = JSON.parse(delivery?.body.toString() ?? "") as Schemas["CorrectionDeliveryBody"];
  expect(delivery?.path).toBe("/subscriber");
  expect(delivery?.headers["service-event-id"]).toBe(told.id);
  expect(isSignedWith(subscriber?.secret ?? "", delivery as NonNullable<typeof delivery>)).toBe(true);
  expect(told).toMatchObject({
    id: expect.stringMatching(/^cor_\d+$/),
    type: "event_correction",
    created: "2026-10-07T18:00:00.000Z",
    data: {
      correction: "withdrawn",
      event: { type: "new_authority_granted", usdot: String(usdot), data: { correction: "withdrawn" } },
    },
  });

  const page = await corrections("type=new_authority_granted&since=2026-10-01T00:00:00Z");
  const own = page.data.filter(({ event }) => event.usdot === String(usdot));
  expect(own).toEqual([
    {
      id: Number(told.id.slice(4)),
      correction: "withdrawn",
      corrected_at: told.created,
      event: told.data.event,
    },
  ]);
  expect((await corrections(`cursor=${page.meta.resume_cursor}`)).data).toEqual([]);

  const history = `/v1/webhooks/${subscriber?.id}/deliveries?type=correction`;
  const { data } = (await (await service.get(history, key)).json()) as Schemas["DeliveriesOut"];
  expect(data.slice(1)).toMatchObject([
    { correction_id: told.id, event_id: `evt_${told.data.event.id}`, status: "delivered" },
  ]);
  const detail = await service.get(`/v1/webhooks/${subscriber?.id}/deliveries/${data[1]?.delivery_id}`, key);
  expect(((await detail.json()) as Schemas["DeliveryDetailOut"]).body).toBe(delivery?.body.toString());
  await dispatcher.stop();
});

it("a rollback withdraws the events of its feed, holds, and a release confirms those that are true", async () => {
  const { meta } = await corrections("since=2026-10-01T00:00:00Z&limit=1000");
  await importDay(3);
  const { events_withdrawn: withdrawn, from } = await rollBack(service.context, "us_new_authority_weekly");
  expect(withdrawn).toBeGreaterThan(0);
  const taken = await corrections(`limit=1000&cursor=${meta.resume_cursor}`);
  expect(taken.data).toHaveLength(withdrawn);
  for (const { correction, event } of taken.data) {
    expect(correction).toBe("withdrawn");
    expect(event).toMatchObject({ type: "new_authority_granted", data: { correction, status_now: null } });
  }
  const versions = async () =>
    (
      (await (
        await service.get("/v1/feeds/us_new_authority_weekly/versions", key)
      ).json()) as Schemas["FeedVersionsOut"]
    ).data;
  expect((await versions()).map(({ version, rolled_back_at }) => [version, rolled_back_at])).toContainEqual([
    from,
    "2026-10-08T18:00:00.000Z",
  ]);

  await expect(importDay(3)).rejects.toThrow(
    /^us_new_authority_weekly was rolled back, so nothing is imported\. .* --preview; .* add --release\.$/,
  );
  await importDay(3, folders.day(3), true);
  const confirmed = await corrections(`limit=1000&cursor=${taken.meta.resume_cursor}`);
  expect(confirmed.data.map(({ correction, event }) => [correction, event.id])).toEqual(
    taken.data.map(({ event }) => ["changed", event.id]),
  );
  await importDay(3);
  expect((await corrections(`cursor=${confirmed.meta.resume_cursor}`)).data).toEqual([]);
});
