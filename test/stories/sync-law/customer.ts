// A customer, who keeps a copy of a feed by its changes, over HTTP. It shares no code with the product.
import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { components } from "../../../src/generated/types.ts";
import type { TestService } from "../../support/service.ts";
import { type PlainRecord, readVolatile, refresh, stable, type VolatileColumns } from "./volatile.ts";

type Change = components["schemas"]["FeedChangeOut"];
type Page = components["schemas"]["FeedChangesOut"];
type Checkpoint = components["schemas"]["Checkpoint"];

interface Reading {
  records: Map<string, PlainRecord>;
  checkpoint: Checkpoint;
}

const nothing = async () => {};

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
  /** Entries that were looked at and were needed. */
  needed: number;
  /** Polls of an unchanged copy, which were told nothing. */
  quiet: number;
}

export interface Account {
  key: string;
  planCode: string;
  /** As they are written behind a query. */
  filters: string;
  /** Whether it sends the number of removals of its copy. */
  sendsRemovals: boolean;
}

export class Customer {
  readonly account: Account;
  readonly #service: TestService;
  readonly #feed: string;
  readonly #seen: Seen;
  #version = 0;
  #removals = 0;
  #copy = new Map<string, PlainRecord>();
  #volatile: VolatileColumns = {};

  constructor(service: TestService, feed: string, account: Account, seen: Seen) {
    this.#service = service;
    this.#feed = feed;
    this.account = account;
    this.#seen = seen;
  }

  /** Learns the volatile columns from the contract. */
  async readContract(): Promise<void> {
    this.#volatile = await readVolatile(this.#service, this.#feed);
  }

  /** Reads all records, again if the copy does not agree with the checkpoint: something happened between two pages. */
  async takeCopy(version: number, meanwhile: () => Promise<unknown>): Promise<void> {
    for (let reading = 1; ; reading++) {
      const { records, checkpoint } = await this.#read(version, 7, reading < 5 ? meanwhile : nothing);
      const { rows, digest, removals } = checkpoint;
      if (rows !== records.size || digest !== this.#digestOf(records)) continue;
      this.#copy = records;
      this.#version = version;
      this.#removals = removals ?? 0;
      return;
    }
  }

  /** Brings the copy to the current version, and compares it with a reading of all its records. */
  async syncAndCompare(newest: number, limit: number, meanwhile: () => Promise<boolean>): Promise<void> {
    const since = this.#version;
    const checkpoint = await this.#sync(limit, meanwhile);
    if (checkpoint === null) return this.takeCopy(newest, nothing);
    const { records: expected } = await this.#read(this.#version, 1000, nothing);
    const told = `${this.#feed} ${since} → ${this.#version}${this.account.filters}`;
    expect(differences(this.#copy, expected), told).toEqual([]);
    const { removals, ...agreed } = checkpoint;
    const digest = this.#digestOf(this.#copy);
    expect(agreed, told).toEqual({ version: this.#version, rows: expected.size, digest });
    this.#removals = removals ?? 0;
    this.#seen.comparisons += 1;
    this.#seen.records += expected.size;
    if (this.account.sendsRemovals) await this.#expectQuiet(told);
  }

  /** No entry comes twice for an unchanged copy. */
  async #expectQuiet(told: string): Promise<void> {
    const body = (await bodyOf(
      await this.#get(`changes?${this.#since}&to_version=${this.#version}`),
    )) as Page;
    expect([body.data, body.next_cursor], told).toEqual([[], null]);
    this.#seen.quiet += 1;
  }

  get #since(): string {
    const removals = this.account.sendsRemovals ? `&since_removals=${this.#removals}` : "";
    return `since_version=${this.#version}${removals}`;
  }

  /** The checkpoint at the end; null when the changes can't be told any more. */
  async #sync(limit: number, meanwhile: () => Promise<boolean>): Promise<Checkpoint | null> {
    let isInterrupted = !this.account.sendsRemovals;
    for (let from = this.#since; ; ) {
      const answer = await this.#get(`changes?${from}&limit=${limit}`);
      if (answer.status === 410) {
        this.#seen.expired += 1;
        return null;
      }
      const body = (await bodyOf(answer)) as Page;
      for (const change of body.data) {
        // Pages between which something happens may say a thing that another one took back.
        if (!isInterrupted) this.#expectNeeded(change);
        this.#apply(change);
      }
      if (body.next_cursor === null) {
        this.#version = body.meta.to_version;
        const days = { asOf: body.as_of, verifiedOn: body.meta.verified_on };
        for (const record of this.#copy.values()) refresh(record, this.#volatile, days);
        return body.meta.checkpoint as Checkpoint;
      }
      from = `cursor=${body.next_cursor}`;
      if (await meanwhile()) isInterrupted = true;
    }
  }

  #expectNeeded(change: Change): void {
    const { op, record_id: id } = change;
    const has = this.#copy.get(id);
    if (change.op === "changed") {
      const [before, after] = [has ?? {}, change.record as PlainRecord].map((each) =>
        stable(each, this.#volatile),
      );
      expect(after).not.toEqual(before);
    }
    expect(has !== undefined, `${op} ${id}`).toBe(op !== "added");
    this.#seen.needed += 1;
  }

  #apply(change: Change): void {
    const { op, record_id: id } = change;
    if (op === "removed") {
      this.#seen.removed[change.reason] = (this.#seen.removed[change.reason] ?? 0) + 1;
      expect(Object.keys(change).sort()).toEqual(["op", "reason", "record_id", "version"]);
      this.#copy.delete(id);
    } else {
      this.#seen[op] += 1;
      this.#copy.set(id, change.record as PlainRecord);
    }
  }

  async #read(version: number, size: number, meanwhile: () => Promise<unknown>): Promise<Reading> {
    const records: PlainRecord[] = [];
    for (let page = 1; ; page++) {
      const query = `records?page_size=${size}&page=${page}&version=${version}`;
      const body = (await bodyOf(await this.#get(query))) as components["schemas"]["RecordsOut"];
      records.push(...(body.data as PlainRecord[]));
      if (!body.has_more) {
        const byId = new Map(records.map((record) => [String(record.record_id), record]));
        return { records: byId, checkpoint: body.meta.checkpoint as Checkpoint };
      }
      await meanwhile();
    }
  }

  #digestOf(records: ReadonlyMap<string, PlainRecord>): string {
    return digestOf([...records.values()].map((record) => stable(record, this.#volatile)));
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
