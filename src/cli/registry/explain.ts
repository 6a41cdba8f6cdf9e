import { Command } from "commander";
import { type ExplainedFeed, type Explanation, explainCarrier } from "../../carriers/explain/explain.ts";
import type { ExplainedAuthority } from "../../carriers/explain/explained-authorities.ts";
import { dayNumber } from "../../platform/clock.ts";
import { usdotFrom } from "../terminal/arguments.ts";
import { reporting } from "../terminal/reporting.ts";

export const explainCommand = (): Command =>
  reporting(
    new Command("explain")
      .description("Show a carrier's authorities, and the rule by which it is in each feed or not")
      .argument("<usdot>", "USDOT number, 1 to 8 digits"),
    async (context, usdot: string) => {
      const explanation = await explainCarrier(context, usdotFrom(usdot));
      return { value: explanation, lines: explanationLines(explanation) };
    },
  );

const CENSUS_SHOWN = ["status_code", "power_units", "drivers", "city", "state", "country"] as const;

function explanationLines(explanation: Explanation): string[] {
  const { usdot, removal, census, authorities, blanked_contacts, feeds } = explanation;
  const facts = CENSUS_SHOWN.map((name) => `${name} ${census?.[name] ?? "–"}`).join(", ");
  return [
    `USDOT number ${usdot}: ${census?.legal_name ?? "not in the census"}`,
    ...(removal
      ? [
          `  on the removal list since ${removal.since} (request ${removal.request}): no feed has it, none of its events is shown`,
        ]
      : []),
    ...(census ? [`  ${facts}`] : []),
    ...blanked_contacts.map(({ field, value, why }) => `  ${field} ${value} is blanked: ${why}`),
    "",
    ...(authorities.length === 0 ? ["No authority is on record."] : authorities.flatMap(authorityLines)),
    "",
    ...feeds.flatMap(feedLines),
  ];
}

/** An event tells of a grant at most so many days old: the rule of src/events/detect/sql/detect-history.sql. */
const GRANT_EVENT_DAYS = 30;

function firstSeenLines({ first_seen_on, granted_on }: ExplainedAuthority): string[] {
  if (first_seen_on === null) return [];
  const daysLate = granted_on === null ? 0 : dayNumber(first_seen_on) - dayNumber(granted_on);
  const isLateGrant = daysLate > 0 && daysLate <= GRANT_EVENT_DAYS;
  return [
    isLateGrant
      ? `  first seen on ${first_seen_on}: of anything earlier, only its first grant, on ${granted_on}, may have an event`
      : `  first seen on ${first_seen_on}: no event is made of anything earlier`,
  ];
}

function authorityLines(authority: ExplainedAuthority): string[] {
  const { docket, op_auth_type, authority_class, status, status_source, grant } = authority;
  return [
    `${docket ?? "no docket"} ${authority_class} (${op_auth_type}): ${status}, by ${status_source}`,
    `  ${authority.decided_by}`,
    `  ${grant}`,
    ...firstSeenLines(authority),
    ...authority.newest_history
      .filter(({ meaning }) => meaning === "unknown")
      .map(
        ({ reason }) =>
          `  its newest reason is unknown (${reason ?? "blank"}): counts as no grant and no reinstatement`,
      ),
    ...authority.pending_revocations.map(
      (order) =>
        `  ${order.order_type}: served ${order.served_on ?? "on no valid day"}, effective ${order.effective_on} (${order.source})`,
    ),
    ...(authority.coverage ? [`  required and on file: ${pairs(authority.coverage)}`] : []),
    ...authority.policies.map((policy) => `  policy: ${pairs(policy)}`),
    ...authority.ended_policies.map((policy) => `  policy ended: ${pairs(policy)}`),
  ];
}

const pairs = (facts: Readonly<Record<string, unknown>>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name} ${value ?? "–"}`)
    .join(", ");

function feedLines({ feed, is_in, is_served, version, as_of, because }: ExplainedFeed): string[] {
  const state =
    version === null ? "not live" : `${is_in ? "IN" : "out"} (version ${version}, as of ${as_of})`;
  return [
    `${feed}: ${state}`,
    ...because.map((why) => `  ${why}`),
    ...(version !== null && is_in !== is_served
      ? [
          `  the served version ${is_served ? "still has it" : "does not have it"}: lists or rules changed since. Import again.`,
        ]
      : []),
  ];
}
