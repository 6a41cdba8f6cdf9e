import { createRandom } from "../random.ts";
import type { Authority } from "./authorities.ts";
import type { Life } from "./carrier-life.ts";
import type { World } from "./world.ts";

/** One kind of insurance that an authority has on file. Amounts in dollars. */
export interface Cover {
  /** 1 liability (BIPD), 2 cargo, 3 surety bond, 4 trust fund. */
  type: "1" | "2" | "3" | "4";
  /** The form without the letters before it: 91X, 34, 84 and so on. */
  form: string;
  /** P primary, E excess, 1 and 2 special limits, or none. */
  class: "P" | "E" | "1" | "2" | "";
  coverage: number;
  /** The amount that another policy pays before this one. */
  underlying: number;
}

/** The insurance that an authority needs, and the insurance that it files; the leading cover comes first. */
export interface Needs {
  /** Liability coverage required, in dollars; 0 where none is. */
  minimum: number;
  needsCargo: boolean;
  needsBond: boolean;
  covers: readonly Cover[];
  /** Whether it is active without the insurance that it needs: nothing on file, or too little. */
  lack: "none" | "nothing" | "little";
}

/** The bond or trust fund that a broker and a freight forwarder need. */
export const BOND_DOLLARS = 75_000;

/** The needs of an authority, the same on every day. */
export function needsOf(world: World, life: Life, { kind, slot, ofHousehold }: Authority): Needs {
  const random = createRandom(world.seed, life.index, 30 + slot);
  const sizeDraw = random.next();
  const generous = random.chance(0.2) ? 250_000 : 0;
  const hasExcess = random.chance(excessShare(life, kind));
  const hasCargo = kind === "household" || random.chance(0.08);
  const isTrust = random.chance(0.2);
  const lackDraw = random.next();
  const lackShare = life.plot === "carried" ? world.shares.oddity(0.03, world.shares.inMotus) : 0;
  const lack = lackDraw < lackShare ? "nothing" : lackDraw < lackShare * 2 ? "little" : "none";
  const isBroker = kind === "broker" || kind === "forwarder";
  const bond: Cover = {
    type: isTrust ? "4" : "3",
    form: isTrust ? "85" : "84",
    class: "",
    coverage: lack === "little" ? 10_000 : BOND_DOLLARS,
    underlying: 0,
  };
  const minimum = isBroker ? 0 : minimumOf(kind, sizeDraw);
  // A household mover's property authority on the same docket brings the liability policy of both.
  const isBeside = kind === "household" && slot === 1;
  const carries = (minimum > 0 && !isBeside) || (kind === "forwarder" && sizeDraw < 0.3);
  const whole = Math.max(minimum, 750_000) + generous;
  const primary = hasExcess && minimum > 0 ? Math.min(whole, 1_000_000) - 250_000 : whole;
  const liability: Cover = {
    type: "1",
    form: hasExcess || sizeDraw < 0.97 ? "91X" : random.pick(["91", "82"]),
    class: sizeDraw > 0.995 ? random.pick(["1", "2", ""]) : "P",
    coverage: lack === "little" && minimum > 0 ? Math.min(300_000, minimum - 50_000) : primary,
    underlying: 0,
  };
  const excess: Cover = {
    ...liability,
    form: "91X",
    class: "E",
    coverage: whole - primary,
    underlying: primary,
  };
  const cargo: Cover = { type: "2", form: "34", class: "", coverage: 5_000, underlying: 0 };
  return {
    minimum,
    needsCargo: kind === "household" || (kind === "forwarder" && ofHousehold && hasCargo),
    needsBond: isBroker,
    covers: [
      ...(isBroker ? [bond] : []),
      ...(carries ? [liability] : []),
      ...(carries && primary < whole && lack !== "little" ? [excess] : []),
      ...(hasCargo && kind !== "broker" ? [cargo] : []),
    ],
    lack,
  };
}

function excessShare({ plot }: Life, kind: Authority["kind"]): number {
  if (kind === "passengers") return 0.5;
  // Carriers whose insurers cancel: the excess policy often stays when the primary policy ends.
  return plot === "suspending" ? 0.2 : 0.04;
}

function minimumOf(kind: Authority["kind"], draw: number): number {
  if (kind === "passengers") return draw < 0.6 ? 5_000_000 : 1_500_000;
  if (draw < 0.04) return 300_000;
  return draw < 0.08 ? 1_000_000 : 750_000;
}
