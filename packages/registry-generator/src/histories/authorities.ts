import { createRandom, type Random } from "../random.ts";
import { actionsOf, type Life } from "./carrier-life.ts";
import { type Action, keptHistory, lapsedHistory } from "./histories.ts";
import type { World } from "./world.ts";

/** The kind of business that an authority permits. */
type Kind = "property" | "household" | "passengers" | "broker" | "forwarder";

/** One operating authority under a docket, with its history up to a day. */
export interface Authority {
  kind: Kind;
  /** The legacy columns that list it: common and contract carriage are granted separately. */
  forms: ReadonlyArray<"COMMON" | "CONTRACT" | "BROKER">;
  /** Whether it is a broker or forwarder of household goods. */
  ofHousehold: boolean;
  actions: readonly Action[];
  /** The history and the near future, which insurers and notices know in advance. */
  plan: readonly Action[];
  /** Distinguishes a company's authorities: 0 is the leading one, 1 the one beside it, 2 that of the second docket. */
  slot: 0 | 1 | 2;
}
export interface Docket {
  prefix: "MC" | "FF" | "MX";
  /** Empty for the few new companies that have only a USDOT number. */
  number: number | undefined;
  authorities: readonly Authority[];
}

/** Longer than any notice period, and longer than insurers file a cancellation in advance. */
const FORESIGHT_DAYS = 75;

/** The dockets of a carrier on `day`, the leading one first. */
export function docketsOf(world: World, life: Life, country: string, day: number): Docket[] {
  const actions = actionsOf(world, life, day);
  if (actions.length === 0) return [];
  const random = createRandom(world.seed, life.index, 2);
  const kind = leadingKind(life, random);
  const leading = authority(kind, 0, actions, random, actionsOf(world, life, day + FORESIGHT_DAYS));
  const authorities = [leading];
  const keptUntil = Math.min(world.legacyEnd - 60, day);
  if (random.chance(alsoShare(life, kind))) {
    if (life.plot === "applicant")
      // Property and household goods, applied for in one form and granted on one day.
      authorities.push(authority("household", 1, actions, random, leading.plan));
    else {
      const also = kind === "broker" ? "property" : "broker";
      authorities.push(authority(also, 1, keptHistory(life.registeredDay, keptUntil, random), random));
    }
  }
  const prefix = kind === "forwarder" ? "FF" : country === "MX" && random.chance(0.6) ? "MX" : "MC";
  const dockets: Docket[] = [{ prefix, number: docketNumber(world, life, 0), authorities }];
  if (life.plot !== "applicant" && random.chance(world.shares.secondDocket)) {
    const isOld = random.chance(0.85);
    const isKept = HOLDERS.has(life.plot) && life.index % 5 < 2;
    const second = isKept ? keptBeside(kind) : isOld ? "property" : "forwarder";
    const history = isKept
      ? keptHistory(life.registeredDay, keptUntil, random)
      : lapsedHistory(life.registeredDay, world.legacyEnd, random);
    dockets.push({
      prefix: second === "forwarder" ? "FF" : "MC",
      number: docketNumber(world, life, 1),
      authorities: [authority(second, 2, history, random)],
    });
  }
  return dockets;
}

/** Whether Motus has the company on `day`: it changed since the cut-over, or was carried over. */
export function isInMotus(world: World, life: Life, docket: Docket, day: number): boolean {
  if (day < world.legacyEnd) return false;
  if (life.plot === "carried") return true;
  // A notice alone does not always bring a company's other rows into Motus.
  const isNoticeEnough = createRandom(world.seed, life.index, 20).chance(0.8);
  const moved = docket.authorities[0]?.actions.some(
    (action) =>
      (action.day > world.legacyEnd && (action.act !== "proceeding_opened" || isNoticeEnough)) ||
      (action.act === "granted" && action.day > world.legacyEnd - 60),
  );
  if (moved) return true;
  return (
    (life.plot === "broker" || life.plot === "forwarder") &&
    createRandom(world.seed, life.index, 8).chance(0.1)
  );
}

function leadingKind({ plot }: Life, random: Random): Kind {
  const draw = random.next();
  if (plot === "broker" || plot === "forwarder") return plot;
  if (plot === "applicant") {
    if (draw < 0.09) return "broker";
    if (draw < 0.11) return "forwarder";
  }
  if (plot === "suspending") {
    if (draw < 0.1) return "broker";
    if (draw < 0.13) return "forwarder";
  }
  if (plot === "lapsed" && draw < 0.12) return "broker";
  if (draw > 0.97) return "household";
  return draw > 0.945 ? "passengers" : "property";
}

const HOLDERS = new Set<Life["plot"]>(["settled", "suspending", "carried", "broker", "forwarder"]);

/** The kind of a second docket whose authority is active too: mostly the same as the first. */
function keptBeside(leading: Kind): Kind {
  if (leading === "broker") return "forwarder";
  return leading === "forwarder" ? "broker" : "property";
}

function alsoShare({ plot }: Life, kind: Kind): number {
  if (plot === "broker") return 0.35;
  if (plot === "applicant") return kind === "property" ? 0.06 : 0;
  const holds = plot === "settled" || plot === "suspending" || plot === "carried";
  return holds && kind === "property" ? 0.04 : 0;
}

function authority(
  kind: Kind,
  slot: Authority["slot"],
  actions: readonly Action[],
  random: Random,
  plan = actions,
): Authority {
  const common = { kind, slot, actions, plan };
  const ofHousehold = random.chance(kind === "forwarder" ? 0.2 : 0.05);
  if (kind === "broker") return { ...common, forms: ["BROKER"], ofHousehold };
  const draw = random.next();
  const forms =
    draw < 0.72
      ? (["COMMON"] as const)
      : draw < 0.93
        ? (["COMMON", "CONTRACT"] as const)
        : (["CONTRACT"] as const);
  return { ...common, forms, ofHousehold };
}

function docketNumber(world: World, life: Life, slot: 0 | 1): number | undefined {
  if (isDocketless(world, life)) return undefined;
  // Motus issues its own eight-digit numbers; the legacy system issued at most seven digits, in order.
  if (life.plot === "applicant" && life.registeredDay > world.legacyEnd) return 86_000_000 + life.index;
  const step = Math.max(1, Math.floor(1_790_000 / (2 * world.carriers + 2)));
  return (2 * life.index + slot) * step + 1;
}

/** Some of the newest applicants, and one in forty later ones, get no docket number. */
function isDocketless({ carriers, legacyEnd, shares }: World, life: Life): boolean {
  const { plot, registeredDay, index, fraction } = life;
  if (plot !== "applicant" || registeredDay <= legacyEnd || index === carriers - 1) return false;
  if (index >= carriers) return (index - carriers) % 40 === 7;
  return (fraction * shares.docketless) % 1 < shares.docketless / shares.companiesOf("applicant");
}
