import { afterAll, beforeAll } from "vitest";
import { setDetection } from "../../../../support/events/events.ts";
import { feedRecord, publishFeed } from "../../../../support/feeds/published-feed.ts";
import { putChange } from "../../../../support/registry/recorded-changes.ts";
import { putRows } from "../../../../support/rows.ts";
import { startTestService, type TestService } from "../../../../support/service.ts";
import { type Visitor, visitorOf } from "../../../../support/visitor.ts";

export const PLAN = { feeds: { us_brokers: ["TX"] }, rowsPerMonth: 1_000, watchedCarriers: 50 };
export const MANY = Array.from({ length: 101 }, (_, index) => 5_001 + index);

export let service: TestService;
export let visitor: Visitor;
let accountId: number;

/** The text of a page as a person reads it. */
export const wordsOf = ({ text }: { text: string }): string =>
  text
    .replace(/^[\s\S]*<main/, "<main")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");

export async function newList(name: string, owner = visitor): Promise<string> {
  const page = await owner.send("/watchlists", { name, description: "Our own" });
  return /^\/watchlists\/\d+/.exec(page.path)?.[0] ?? "";
}

export const csv = (text: string | Uint8Array<ArrayBuffer>): FormData => {
  const form = new FormData();
  form.set("numbers", "");
  form.set("file", new File([text], "carriers.csv", { type: "text/csv" }));
  return form;
};

export const rowsUsed = async (): Promise<number> => {
  const [month] = await service.context.db.prisma.usageMonth.findMany({ where: { accountId } });
  return Number(month?.quotaRows ?? 0);
};

/** Starts a service with carriers, two of whose fields changed, and a customer who may watch 50. */
export function useLists(): void {
  beforeAll(async () => {
    service = await startTestService();
    const { db } = service.context;
    const carrier = (usdot: number, docket: string, state = "TX") => ({
      usdot,
      docket,
      registry_state: state,
      registry_name: `CARRIER <${usdot}>`,
    });
    await putRows(
      db.pool,
      "authority",
      carrier(101, "MC101"),
      carrier(102, "MC102"),
      carrier(103, "MC900"),
      carrier(104, "MC900"),
      carrier(105, "MC105", "OH"),
      ...MANY.map((usdot) => carrier(usdot, `MC${usdot}`)),
    );
    await setDetection(db, { finishedAt: "2026-11-21T11:20:06Z", asOf: "2026-11-21" });
    await publishFeed(db, "us_brokers", {
      records: [
        feedRecord("us_brokers", {
          dot_number: "101",
          company: "CARRIER",
          docket_number: "MC101",
          state: "TX",
        }),
      ],
      asOf: "2026-11-21",
      now: service.clock.now(),
    });
    await putChange(service.context, {
      id: 1,
      usdot: 101,
      category: "contact",
      field: "phone",
      before: "5125550142",
      after: "5125550177",
      seenAt: "2026-11-20T11:20:05Z",
    });
    await putChange(service.context, {
      id: 2,
      usdot: 101,
      category: "insurance",
      field: "policy",
      item: { insurance_type: "bipd", policy_no: "AB1" },
      docket: "MC101",
      before: null,
      after: { policy_no: "AB1", insurer: "NEW <MUTUAL>", form_code: null },
      on: "2026-11-18",
      seenAt: "2026-11-21T11:20:05Z",
    });
    accountId = (await service.createAccount(PLAN)).accountId;
    visitor = await visitorOf(service, accountId);
  });
  afterAll(() => service.stop());
}
