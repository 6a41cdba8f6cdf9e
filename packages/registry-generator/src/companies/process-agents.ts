import type { World } from "../histories/world.ts";
import { createRandom, type Random } from "../random.ts";
import { zipOf } from "./addresses.ts";
import { companyOf } from "./companies.ts";
import { cityName, streetLine } from "./names.ts";

/** A process agent as the BOC-3 files write it. */
export interface ProcessAgent {
  name: string;
  street: string;
  city: string;
  state: string;
  zip: string;
  country: string;
}

/** 89 agents cover all filings of the real registry. */
const AGENTS = 89;
/** A small registry has fewer, so that several companies name each of them. */
const COMPANIES_PER_AGENT = 40;

const cache = new WeakMap<World, readonly ProcessAgent[]>();

/** An agent for a filing: a few agents have most of them. */
export function pickAgent(world: World, random: Random): ProcessAgent {
  const agents = agentsOf(world);
  return agents[Math.floor(random.next() ** 3 * agents.length)] as ProcessAgent;
}

function agentsOf(world: World): readonly ProcessAgent[] {
  const known = cache.get(world);
  if (known) return known;
  const count = Math.max(3, Math.min(AGENTS, Math.floor(world.carriers / COMPANIES_PER_AGENT)));
  const agents = Array.from({ length: count }, (_, rank) => agentOf(world, rank, count));
  cache.set(world, agents);
  return agents;
}

/** Every second agent is a company of the census. */
function agentOf(world: World, rank: number, count: number): ProcessAgent {
  const index = Math.floor(((rank + 0.5) / count) * world.carriers);
  const company = companyOf(world, index, world.firstDay);
  const { place, street, city, zip } = company;
  if (rank % 2 === 1 && place.country === "US" && !company.isPerson)
    return { name: company.legalName, street, city, state: place.code, zip, country: "US" };
  const random = createRandom(world.seed, rank, 32);
  const name = `${cityName(random)} PROCESS AGENTS${random.pick([", INC.", " INC", " LLC", ", L.L.C."])}`;
  const home = world.places.find(({ code }) => code === "OK") ?? place;
  const address = { street: streetLine(random), city: cityName(random), zip: zipOf(home, random) };
  return { name, ...address, state: home.code, country: "US" };
}
