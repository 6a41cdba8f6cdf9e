// A customer, who keeps a copy of a feed by its changes, over HTTP. It shares no code with the product.
import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { components } from "../../../src/generated/types.ts";
import type { TestService } from "../../support/service.ts";

type PlainRecord = Record<string, unknown>;
type Change = components["schemas"]["FeedChangeOut"];
type Checkpoint = components["schemas"]["Checkpoint"];

const VOLATILE = ["last_verified", "days_in_business"];

/** What customers saw. A run that never met one of these proves little. */
export interface Seen {
  comparisons: number;
  /** Records that were compared. */
  records: number;
  added: number;
  changed: number;
  /** By reason. */
  removed: Record<string, number>;
  /** Versions that were too old. */
  expired: number;
}

export interface Account {
  key: string;
  planCode: string;
  /** As they are written behind a query. */
  filters: string;
}

export class Customer {
  readonly account: Account;
  readonly #service: TestService;
  readonly #feed: string;
  readonly #seen: Seen;
  #version = 0;
  #copy = new Map<string, PlainRecord>();

  constructor(service: TestService, feed: string, account: Account, seen: Seen) {
    this.#service = service;
    this.#feed = feed;
    this.account = account;
    this.#seen = seen;
  }

  async takeExport(version: number): Promise<void> {
    this.#copy = await this.#read(version);
    this.#version = version;
  }

  /** Brings the copy to the current version, and compares it with a reading of all its records. */
  async syncAndCompare(newest: number, limit: number, meanwhile: () => Promise<void>): Promise<void> {
    const since = this.#version;
    const checkpoint = await this.#sync(limit, meanwhile);
    if (checkpoint === null) return this.takeExport(newest);
    const expected = await this.#read(this.#version);
    const told = `${this.#feed} ${since} → ${this.#version}${this.account.filters}`;
    expect(differences(this.#copy, expected), told).toEqual([]);
    const digest = digestOf(this.#copy.values());
    expect(checkpoint, told).toEqual({ version: this.#version, rows: expected.size, digest });
    this.#seen.comparisons += 1;
    this.#seen.records += expected.size;
  }

  /** The checkpoint at the end; null when the changes can't be told any more. */
  async #sync(limit: number, meanwhile: () => Promise<void>): Promise<Checkpoint | null> {
    for (let from = `since_version=${this.#version}`; ; ) {
      const answer = await this.#get(`changes?${from}&limit=${limit}`);
      if (answer.status === 410) {
        this.#seen.expired += 1;
        return null;
      }
      const body = (await bodyOf(answer)) as components["schemas"]["FeedChangesOut"];
      for (const change of body.data) this.#apply(change);
      if (body.next_cursor === null) {
        this.#version = body.meta.to_version;
        return body.meta.checkpoint as Checkpoint;
      }
      from = `cursor=${body.next_cursor}`;
      await meanwhile();
    }
  }

  #apply(change: Change): void {
    const { op, record_id: id, reason = "none" } = change;
    if (op === "removed") {
      this.#seen.removed[reason] = (this.#seen.removed[reason] ?? 0) + 1;
      expect(Object.keys(change).sort()).toEqual(["op", "reason", "record_id", "version"]);
      this.#copy.delete(id);
    } else {
      this.#seen[op] += 1;
      this.#copy.set(id, stable(change.record as PlainRecord));
    }
  }

  async #read(version: number): Promise<Map<string, PlainRecord>> {
    const records: PlainRecord[] = [];
    for (let page = 1; ; page++) {
      const query = `records?page_size=1000&page=${page}&version=${version}`;
      const body = (await bodyOf(await this.#get(query))) as components["schemas"]["RecordsOut"];
      records.push(...body.data.map((record) => stable(record as PlainRecord)));
      if (!body.has_more) return new Map(records.map((record) => [String(record.record_id), record]));
    }
  }

  #get(path: string): Promise<Response> {
    return this.#service.get(`/v1/feeds/${this.#feed}/${path}${this.account.filters}`, this.account.key);
  }
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text);
}

const stable = (record: PlainRecord): PlainRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !VOLATILE.includes(name)));

/** The digest of a checkpoint, as the contract tells customers to compute it. */
function digestOf(records: Iterable<PlainRecord>): string {
  let sum = 0n;
  for (const record of records) {
    const texts = Object.values(record).map((value) =>
      Array.isArray(value) ? value.join(";") : String(value ?? ""),
    );
    sum += createHash("sha256").update(texts.join("\u001f")).digest().readBigUInt64BE();
  }
  return (sum % 2n ** 64n).toString(16).padStart(16, "0");
}

/** How a copy differs from what it should be. */
const differences = (
  copy: ReadonlyMap<string, PlainRecord>,
  expected: ReadonlyMap<string, PlainRecord>,
): string[] =>
  [...new Set([...copy.keys(), ...expected.keys()])].flatMap((id) => {
    const [has, wants] = [JSON.stringify(copy.get(id)), JSON.stringify(expected.get(id))];
    const name = copy.get(id)?.dot_number ?? expected.get(id)?.dot_number;
    if (has === wants) return [];
    if (has === undefined) return [`lacks ${name}`];
    return [wants === undefined ? `still has ${name}` : `${has} is not ${wants}`];
  });
