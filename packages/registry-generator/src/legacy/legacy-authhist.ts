import type { Authority } from "../histories/authorities.ts";
import { americanDay } from "../histories/dates.ts";
import type { Action } from "../histories/histories.ts";
import type { World } from "../histories/world.ts";
import type { Random } from "../random.ts";
import { isEnding, legacyStatus } from "./legacy-status.ts";

/** The 9 columns of the legacy AuthHist file. */
export const LEGACY_AUTHHIST_COLUMNS: readonly string[] = [
  "DOCKET_NUMBER",
  "DOT_NUMBER",
  "SUB_NUMBER",
  "OP_AUTH_TYPE",
  "ORIGINAL_ACTION_DESC",
  "ORIG_SERVED_DATE",
  "DISP_ACTION_DESC",
  "DISP_DECIDED_DATE",
  "DISP_SERVED_DATE",
];

type Form = Authority["forms"][number];

const RARE_ENDINGS = ["FAILURE TO REAPPLY", "ADMINISTRATIVE INACTIVATION", "TRANSFERRED", "OUT OF SERVICE"];

/** One row per starting action and form of the grant, with the action that ended it, if any. */
export function legacyHistoryRows(
  world: World,
  authority: Authority,
  ids: string[],
  random: Random,
): string[][] {
  const rows: string[][] = [];
  const { actions } = authority;
  actions.forEach((action, at) => {
    const later = actions.slice(at + 1);
    for (const form of authority.forms) {
      const start = (text: string, end: Action | undefined, endText: string) => {
        const type =
          text === "GRANTED" || text === "REINSTATED" ? typeText(authority, form, action.day) : form;
        const ended =
          end === undefined ? ["", "", ""] : [endText, americanDay(end.day), americanDay(end.day)];
        rows.push([...ids, "", type, text, servedDay(world, action.day, random), ...ended]);
      };
      if (action.act === "granted" || action.act === "reinstated") {
        const end = later.find(({ act }) => isEnding(act));
        start(action.act.toUpperCase(), end, random.chance(0.95) ? "REVOKED" : random.pick(RARE_ENDINGS));
      } else if (action.act === "proceeding_opened") {
        const end = later.find(({ act }) => act === "proceeding_dropped" || isEnding(act));
        start("INVOLUNTARY REVOCATION", end, "DISCONTINUED REVOCATION");
      } else if (action.act === "dismissed") start("DISMISSED", undefined, "");
      else if (
        action.act === "withdrawn" &&
        legacyStatus({ ...authority, actions: actions.slice(0, at) }) === "N"
      )
        start("WITHDRAWN", undefined, "");
    }
  });
  return rows;
}

/** The wording changed over the decades; the oldest rows have only the word. */
function typeText({ kind }: Authority, form: Form, day: number): string {
  const since1995 = day > 9131;
  if (!since1995) return form;
  if (form === "BROKER") return "PROPERTY BROKER";
  if (kind === "household") return `HOUSEHOLD GOODS ${form} CARRIER`;
  if (kind === "passengers") return `MOTOR PASSENGER ${form} CARRIER`;
  return kind === "forwarder" ? form : `MOTOR PROPERTY ${form} CARRIER`;
}

/** MM/DD/YYYY, in a few rows with an impossible year. */
function servedDay(world: World, day: number, random: Random): string {
  const text = americanDay(day);
  if (!random.chance(world.shares.oddity(0.0002, 1))) return text;
  return text.slice(0, 6) + random.pick(["0189", "2044", "2517"]);
}
