// The companies of a feed, which change at random from day to day, and the feed's versions, published by the product.
import { type Feed, type FeedCode, feedOf } from "../../../src/feeds/catalogue.ts";
import { openCandidates, openRemovalList } from "../../../src/feeds/derive/candidates.ts";
import { dropExpiredVersions } from "../../../src/feeds/publish/old-versions.ts";
import { publishVersion } from "../../../src/feeds/publish/publish.ts";
import { rollBackFeed } from "../../../src/feeds/publish/rollback.ts";
import { DAY_MS, dayNumber } from "../../../src/platform/clock.ts";
import { OperatorError } from "../../../src/platform/operator-error.ts";
import type { TestService } from "../../support/service.ts";
import type { Random } from "./random.ts";

export const STATES = ["TX", "CA", "NY", "OK"];
export const PHONES = Array.from({ length: 10 }, (_, index) => `208555010${index}`);

interface Company {
  usdot: number;
  [column: string]: unknown;
}

export class Registry {
  readonly feed: Feed;
  /** The version that was published last. */
  version = 0;
  readonly #service: TestService;
  readonly #random: Random;
  readonly #companies = new Map<number, Company>();
  #nextUsdot = 1_000_000;

  constructor(
    service: TestService,
    random: Random,
    { feed, companies }: { feed: FeedCode; companies: number },
  ) {
    this.feed = feedOf(feed) as Feed;
    this.#service = service;
    this.#random = random;
    for (let at = 0; at < companies; at++) this.#addCompany();
  }

  get usdots(): number[] {
    return [...this.#companies.keys()];
  }

  get #today(): number {
    return Math.floor(this.#service.clock.now().getTime() / DAY_MS);
  }

  async newDay(): Promise<void> {
    const random = this.#random;
    this.#service.clock.advance(DAY_MS);
    for (const [usdot, company] of this.#companies) {
      if (random.chance(0.05)) this.#companies.delete(usdot);
      if (random.chance(0.25)) {
        const name = random.pick(Object.keys(this.#valuesOf(usdot)));
        company[name] = this.#valuesOf(usdot)[name];
      }
    }
    for (let at = 0; at < 3; at++) this.#addCompany();
    await this.publish();
  }

  #addCompany(): void {
    const usdot = this.#nextUsdot++;
    this.#companies.set(usdot, { usdot, ...this.#valuesOf(usdot) });
  }

  /** A random value of each column that may change. */
  #valuesOf(usdot: number): Record<string, unknown> {
    const { pick, next } = { pick: this.#random.pick.bind(this.#random), next: () => this.#random.next() };
    return {
      company: `CARRIER ${usdot} ${pick(["LLC", 'INC "A"', "É, CO"])}`,
      state: pick([...STATES, ...STATES, null]),
      power_units: pick([null, 0, 1, 3, 8]),
      phone: pick([...PHONES, null]),
      phone_type: pick(["mobile", "landline", "either", null]),
      has_cell: pick([true, false]),
      general_freight: pick([true, false, null]),
      time_zone: pick(["America/Denver", "America/Phoenix", "America/New_York", null]),
      cargo: pick([null, ["general_freight"], ["produce", "household_goods"], ["produce"]]),
      hazmat: pick([true, false, null]),
      is_individual: pick([true, false, null]),
      out_of_service: pick([true, false, null]),
      insurer: pick(["EXAMPLE MUTUAL", "Sample & Sons of Example", "OTHER", null]),
      status_source: pick(["motus", "motus", "legacy"]),
      authority_granted: pick([null, this.#dayText(this.#today - Math.floor(next() * 60))]),
    };
  }

  #dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

  /** Points readers back to the version before, if one is kept. */
  async rollBack(): Promise<void> {
    await rollBackFeed(this.#service.context, this.feed.code).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
    });
  }

  /** Builds, compares and publishes a version from the companies, as an import does. */
  async publish(): Promise<void> {
    const { context, clock } = this.#service;
    const { feed } = this;
    const asOf = this.#dayText(this.#today);
    await context.db.bulkTransaction(async (client) => {
      const { state: listState } = await openRemovalList(client);
      await openCandidates(client, asOf);
      const columns = feed.columns.filter(({ name }) => name !== "record_id");
      const typed = columns.map(({ name, kind }) => `${name} ${kind === "list" ? "text[]" : kind}`);
      await client.query(
        `CREATE TEMP TABLE law_record (usdot integer, docket text, authority_class text, ${typed.join(", ")}) ON COMMIT DROP`,
      );
      await client.query(
        "INSERT INTO law_record SELECT * FROM jsonb_populate_recordset(NULL::law_record, $1)",
        [JSON.stringify([...this.#companies.values()].map((company) => this.#recordOf(company, asOf)))],
      );
      // A contact that is taken off the removal list is looked for in the registry.
      await client.query(
        `INSERT INTO census (usdot, status_code, general_freight, phone) SELECT usdot, 'A', false, phone FROM law_record
         ON CONFLICT (usdot) DO UPDATE SET phone = excluded.phone`,
      );
      const { rows } = await client.query<{ id: number }>(
        "SELECT version_id AS id FROM feed_current WHERE feed_code = $1",
        [feed.code],
      );
      const { id } = await publishVersion(client, feed, {
        before: rows[0]?.id ?? null,
        derivation: withoutRemoved(columns.map(({ name }) => name)),
        rules: "law",
        fingerprint: "law",
        listState,
        asOf,
        now: clock.now(),
      });
      this.version = id;
      await dropExpiredVersions(client, clock.now());
    });
  }

  #recordOf(company: Company, asOf: string): Record<string, unknown> {
    const granted = company.authority_granted;
    // The legacy registry stopped on this day.
    const verified = company.status_source === "motus" || asOf < "2026-05-14" ? asOf : "2026-05-14";
    return {
      ...company,
      dot_number: String(company.usdot),
      docket: `MC${company.usdot}`,
      docket_number: `MC${company.usdot}`,
      authority_class: "carrier_property",
      authority_type: "carrier_property",
      authority_types: ["carrier_property"],
      entity_type: company.usdot % 2 ? "broker" : "freight_forwarder",
      authority_status: "active",
      last_verified: verified,
      days_in_business: granted === null ? null : this.#today - dayNumber(String(granted)),
    };
  }
}

/** SQL: the records without removed businesses, and without removed contacts, as each feed's derivation gives them. */
const withoutRemoved = (columns: readonly string[]): string => `
  SELECT usdot, docket, authority_class, ${columns
    .map((name) =>
      name === "phone"
        ? "CASE WHEN phone NOT IN (SELECT value FROM removal_list_contact) THEN phone END AS phone"
        : name,
    )
    .join(", ")}
  FROM law_record WHERE usdot NOT IN (SELECT usdot FROM removal_list_business)`;
