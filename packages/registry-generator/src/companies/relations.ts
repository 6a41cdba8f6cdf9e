// Companies that have something in common, and why: successors, and others that have it innocently.
import { lifeOf } from "../histories/carrier-life.ts";
import type { World } from "../histories/world.ts";
import { createRandom, type Random } from "../random.ts";
import type { Plot } from "../shares.ts";
import type { Company } from "./company.ts";

/** Why companies have something in common. Only a successor is the company that it has it from. */
export type RelationKind = "successor" | "family" | "franchise" | "virtual_office" | "filing_service";

/** A company's part in a group of companies with something in common. */
export interface Relation {
  kind: RelationKind;
  /** Index of the company whose contacts the others of the group have; it is one of them. */
  lead: number;
}

/** Chance that a company with a live authority is the successor of one whose authority ended. */
const SUCCESSORS = 0.06;
/** The same for the other groups, each with the sizes that are equally likely. */
const GROUPS: readonly (readonly [kind: RelationKind, share: number, sizes: readonly number[]])[] = [
  ["family", 0.06, [2, 2, 2, 3]],
  ["franchise", 0.04, [2, 3, 4, 6, 12, 30]],
  ["virtual_office", 0.04, [2, 3, 5, 8, 15, 30]],
  ["filing_service", 0.05, [3, 5, 10, 20, 40]],
];
const ALIVE: ReadonlySet<Plot> = new Set(["settled", "suspending", "applicant", "broker", "forwarder"]);
/** A successor follows one of this many that registered before it. */
const ENDED_IN_REACH = 50;

/** The parts that companies of day 0 have, by company index. The same for the same seed and number of carriers. */
export function relationsOf(world: World): ReadonlyMap<number, Relation> {
  const made = cache.get(world) ?? makeRelations(world);
  cache.set(world, made);
  return made;
}

const cache = new WeakMap<World, ReadonlyMap<number, Relation>>();

function makeRelations(world: World): ReadonlyMap<number, Relation> {
  const relations = new Map<number, Relation>();
  const ended: number[] = [];
  const open = new Map<RelationKind, { lead: number; left: number }>();
  for (let index = 1; index < world.carriers; index += 1) {
    const { plot } = lifeOf(world, index);
    if (plot === "lapsed" && ended.push(index) > ENDED_IN_REACH) ended.shift();
    if (!ALIVE.has(plot)) continue;
    const random = createRandom(world.seed, index, 40);
    let draw = random.next() - SUCCESSORS;
    if (draw < 0) {
      const [lead] = ended.splice(random.between(0, ended.length - 1), 1);
      if (lead === undefined) continue;
      relations.set(lead, { kind: "successor", lead });
      relations.set(index, { kind: "successor", lead });
      continue;
    }
    for (const [kind, share, sizes] of GROUPS) {
      draw -= share;
      if (draw >= 0) continue;
      const group = open.get(kind) ?? { lead: index, left: random.pick(sizes) };
      relations.set(index, { kind, lead: group.lead });
      group.left -= 1;
      if (group.left > 0) open.set(kind, group);
      else open.delete(kind);
      break;
    }
  }
  return relations;
}

/** Chances that a member has the lead's phone, e-mail address, only its domain, and its address. */
const SHARED: Readonly<
  Record<RelationKind, readonly [phone: number, email: number, domain: number, address: number]>
> = {
  successor: [0.55, 0.35, 0.15, 0.45],
  family: [0.5, 0.1, 0, 0.8],
  franchise: [0.3, 0, 0.9, 0],
  virtual_office: [0.05, 0, 0, 1],
  filing_service: [0.8, 0.6, 0.2, 0.1],
};
/** Chance that a successor names its predecessor in the census. */
const DECLARED = 0.3;

/** The company with what it has in common with the lead of its group. */
export function withRelation(company: Company, { kind }: Relation, lead: Company, seed: number): Company {
  const random = createRandom(seed, company.life.index, 41);
  const [phone, email, domain, address] = SHARED[kind].map((share) => random.chance(share));
  const { contacts } = lead;
  return {
    ...company,
    contacts: {
      ...company.contacts,
      ...(phone && contacts.phone !== "" && { phone: contacts.phone, authorityPhone: contacts.phone }),
      ...(email && contacts.email !== ""
        ? { email: contacts.email }
        : domain && sameDomain(contacts.email, random)),
    },
    ...(address && {
      street: lead.street,
      city: lead.city,
      zip: lead.zip,
      place: lead.place,
      county: lead.county,
    }),
    ...(kind === "successor" && random.chance(DECLARED) && { predecessor: lead.dotNumber }),
  };
}

const sameDomain = (email: string, random: Random): { email?: string } =>
  email === "" ? {} : { email: `desk${random.between(10, 99)}@${email.split("@")[1]}` };
