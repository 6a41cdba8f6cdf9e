import type { Company } from "../companies/company.ts";
import { compactDay } from "../histories/dates.ts";
import type { World } from "../histories/world.ts";
import type { MotusRows } from "./motus-files.ts";

/** Adds rows without a docket or USDOT number: Motus has a few in each file, the same ones every day. */
export function addBrokenRows(world: World, company: Company, rows: MotusRows): void {
  const { plots, brokenCompanies } = world.shares;
  const { plot, fraction } = company.life;
  const carried = plots.find((range) => range.plot === "carried");
  // These companies are in Motus from the first day on.
  if (plot !== "carried" || !carried) return;
  if (fraction >= brokenCompanies / (carried.share * world.carriers)) return;
  const carrier = rows.carrier[0];
  if (carrier === undefined) return;
  const [docket = "", usdot = "", , type = ""] = carrier;
  const [lately, before] = [compactDay(world.legacyEnd), compactDay(world.legacyEnd - 400)];
  const insurer = "Old Quarry Mutual Insurance Company";
  const number = `LOST ${company.life.index}`;
  const policy = ["750000.00", "0.00", number, before, insurer, before];
  const ended = ["P", before, "0.00", "750000.00", "", insurer];
  for (const ids of [
    ["", usdot],
    [docket, ""],
  ]) {
    rows.carrier.push([...ids, ...carrier.slice(2)]);
    rows.authHist.push([...ids, type, "Active", "Initial Status", lately]);
    rows.insur.push([...ids, "BMC-91X", "1", "P", ...policy]);
    rows.boc3.push([...ids, "LOST AND FOUND AGENTS", "1 FIRST ST", "TULSA", "OK", "74101", "US"]);
    rows.insHist.push([...ids, "BMC-91X", "CANCEL", "1", " ", number, "BIPD", "750000.00", ...ended]);
  }
  rows.revokeSuspend.push(["", "", type, before, "INVOLUNTARY REVOCATION", lately]);
}
