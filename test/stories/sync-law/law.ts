// The law of the change feed: a copy of one version, with the changes to another one applied, is the other one, whatever
// happened between. Days, plans, filters, removals and rollbacks are random; customers use HTTP.
import type { Feed, FeedCode } from "../../../src/feeds/catalogue.ts";
import { setPlanRegions } from "../../support/accounts.ts";
import { USUAL } from "../../support/feeds/filter-table.ts";
import { blockRowCache, freeRowCache } from "../../support/feeds/row-cache.ts";
import { requestRemoval, undoRequest } from "../../support/removals/requests.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { Customer, type Seen } from "./customer.ts";
import { Random } from "./random.ts";
import { PHONES, Registry, STATES } from "./registry.ts";

export interface Story {
  seed: number;
  feed: FeedCode;
  customers: number;
  companies: number;
  /** It goes on until so many copies were compared and everything of `Seen` was met, for so many days at most. */
  comparisons: number;
  days: number;
  cache: RowCache;
}

/** What a service has of its rows in files: all that it reads, nothing, or what it found place for in turns. */
export type RowCache = "on" | "off" | "half";
export const ROW_CACHES: readonly RowCache[] = ["on", "off", "half"];

/** Compares copies of customers with whole readings. Throws when one differs. */
export async function expectLaw(story: Story): Promise<Seen> {
  const service = await startTestService();
  try {
    return await new World(service, story).run();
  } finally {
    await service.stop();
  }
}

/** Reasons that every run has to meet. */
const REASONS = ["withdrawn", "outside_regions", "no_longer_matches", "rolled_back", "authority_gone"];

class World {
  readonly #service: TestService;
  readonly #story: Story;
  readonly #random: Random;
  readonly #registry: Registry;
  readonly #customers: Customer[] = [];
  /** Requests in effect, and what each removes. */
  readonly #removals = new Map<string, number>();
  readonly #seen: Seen = {
    comparisons: 0,
    records: 0,
    added: 0,
    changed: 0,
    removed: {},
    expired: 0,
    needed: 0,
    quiet: 0,
  };

  constructor(service: TestService, story: Story) {
    this.#service = service;
    this.#story = story;
    this.#random = new Random(story.seed);
    this.#registry = new Registry(service, this.#random, story);
  }

  async run(): Promise<Seen> {
    const { customers, comparisons, days } = this.#story;
    const random = this.#random;
    if (this.#story.cache === "off") await blockRowCache(this.#service.context);
    await this.#registry.publish();
    const filters = filtersOf(this.#registry.feed);
    for (let at = 0; at < customers; at++) await this.#openCustomer(filters[at % filters.length] ?? "");
    await this.#rollBackOneDay();
    const isDone = () => this.#seen.comparisons >= comparisons && lackingIn(this.#seen).length === 0;
    for (let day = 0; day < days && !isDone(); day++) {
      for (let at = 0; at < 3; at++) await this.#something();
      for (const customer of this.#customers) {
        if (random.chance(0.5)) await this.#sync(customer);
      }
    }
    return this.#seen;
  }

  /** Carriers that are new on a day, which the first customer reads and an operator takes back: chance may take long. */
  async #rollBackOneDay(): Promise<void> {
    const [reader] = this.#customers as [Customer];
    const { planCode } = reader.account;
    await setPlanRegions(this.#service.context, planCode, { [this.#registry.feed.code]: null });
    await this.#registry.newDay();
    await this.#sync(reader);
    await this.#registry.rollBack();
    await this.#sync(reader);
  }

  #sync(customer: Customer): Promise<void> {
    const limit = this.#random.pick([1, 3, 1000]);
    return customer.syncAndCompare(this.#registry.version, limit, () => this.#maybeInterrupt(0.05, customer));
  }

  /** One random thing that the operator, the registry or a business does. */
  async #something(): Promise<void> {
    this.#service.clock.advance(60_000);
    if (this.#story.cache === "half") {
      await (this.#random.chance(0.5) ? blockRowCache : freeRowCache)(this.#service.context);
    }
    const roll = this.#random.next();
    if (roll < 0.35) await this.#registry.newDay();
    else if (roll < 0.55) await this.#remove();
    else if (roll < 0.7) await this.#undo();
    else if (roll < 0.85) await this.#changePlan(this.#random.pick(this.#customers).account.planCode);
    else if (roll < 0.93) await this.#registry.rollBack();
    else await this.#registry.publish();
  }

  /** While a customer reads its pages, everything may change, its plan too. */
  async #maybeInterrupt(share: number, { account }: Pick<Customer, "account">): Promise<boolean> {
    if (!this.#random.chance(share)) return false;
    const roll = this.#random.next();
    if (roll < 0.4) await this.#remove();
    else if (roll < 0.7) await this.#undo();
    else if (roll < 0.8) await this.#changePlan(account.planCode);
    else await this.#registry.publish();
    return true;
  }

  async #remove(): Promise<void> {
    const [usdot, contact] = [this.#random.pick(this.#registry.usdots), this.#random.pick(PHONES)];
    const isBusiness = this.#random.chance(0.7);
    const removed = isBusiness ? String(usdot) : contact;
    if (this.#removals.has(removed)) return;
    const what = isBusiness ? { usdots: [usdot] } : { phone: contact };
    const requestId = await requestRemoval(this.#service.context, what, this.#service.clock.now());
    this.#removals.set(removed, requestId);
  }

  async #undo(): Promise<void> {
    const [removed, requestId] = this.#random.pick([...this.#removals]) ?? [];
    if (removed === undefined || requestId === undefined) return;
    await undoRequest(this.#service.context, requestId, this.#service.clock.now());
    this.#removals.delete(removed);
  }

  async #changePlan(planCode: string): Promise<void> {
    const regions = this.#random.chance(0.4) ? null : STATES.filter(() => this.#random.chance(0.6));
    await setPlanRegions(this.#service.context, planCode, { [this.#registry.feed.code]: regions });
  }

  async #openCustomer(filters: string): Promise<void> {
    const { code } = this.#registry.feed;
    const plan = { feeds: { [code]: null }, rowsPerMonth: 1e9, requestsPerMinute: 1e6 };
    const { key, planCode } = await this.#service.createAccount(plan);
    await this.#changePlan(planCode);
    const sendsRemovals = this.#customers.length % 3 < 2;
    const account = { key, planCode, filters, sendsRemovals };
    const customer = new Customer(this.#service, code, account, this.#seen);
    await customer.readContract();
    await customer.takeCopy(this.#registry.version, () => this.#maybeInterrupt(0.2, customer));
    this.#customers.push(customer);
  }
}

/** No filter, each filter alone, and all of them but those that exclude each other. */
function filtersOf({ allowedFilters }: Feed): string[] {
  const alone = allowedFilters.map((name) => `&${USUAL[name].query}`);
  return ["", ...alone, alone.slice(0, 3).join("")];
}

/** What a run has not met yet. */
export const lackingIn = ({ added, changed, removed, needed, quiet }: Seen): string[] => [
  ...(needed === 0 ? ["needed"] : []),
  ...(quiet === 0 ? ["quiet"] : []),
  ...(added === 0 ? ["added"] : []),
  ...(changed === 0 ? ["changed"] : []),
  ...REASONS.filter((reason) => removed[reason] === undefined),
];
