import { type Caller, callerOfAccount } from "../../../accounts/keys/caller.ts";
import { carriersWithDocket, type FeedRecords, previewCarrier } from "../../../carriers/carrier-lookup.ts";
import { feedOf } from "../../../feeds/catalogue.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { countOf } from "../../../platform/plural.ts";
import { readDocket, readUsdot } from "../../../registry/docket.ts";
import { dashboardLink } from "../../frame/links.ts";
import { field } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState } from "../../kit/notice.ts";
import { facts } from "../../kit/table.ts";
import { SOUGHT_CHARACTERS, sendPage } from "../dashboard-page.ts";
import { eventList } from "../parts/event-list.ts";
import { queryOf } from "../parts/form-fields.ts";
import { recordsBeside } from "../parts/record-table.ts";
import { noApiAccess, ownProgramPart, type PlanShown } from "../plan-note.ts";
import type { Routes } from "../signed-in.ts";

/** Routes the search for a company, and the page of one. Neither costs quota; both count as free previews. */
export const carrierRoutes: Routes = (pages, context) => {
  pages.get("/carriers", async (request, response, session) => {
    const typed = queryOf(request).get("company")?.trim().slice(0, SOUGHT_CHARACTERS) ?? "";
    const usdot = readUsdot(typed.replace(/^(us)?dot\W*/i, ""));
    if (usdot !== null) return response.redirect(303, carrierLink(context, usdot));
    const docket = readDocket(typed);
    if (docket === null) {
      const status = typed === "" ? 200 : 400;
      const body = searchPage(context, typed);
      return sendPage(context, response, { title: "Find a company", status, body, session });
    }
    const caller = await callerOfAccount(context, session.accountId);
    const found = await carriersWithDocket(context, caller, docket);
    const [first] = found;
    if (first && found.length === 1) return response.redirect(303, carrierLink(context, first.usdot));
    const body = docketPage(context, docket, found);
    sendPage(context, response, { title: docket, status: first ? 200 : 404, body, session });
  });
  pages.get("/carriers/:usdot", async (request, response, session) => {
    const usdot = readUsdot(String(request.params.usdot));
    if (usdot === null) throw new ProblemError("not_found", "A USDOT number has 1 to 8 digits.");
    const caller = await callerOfAccount(context, session.accountId);
    const carrier = await find(context, caller, String(usdot));
    const [title, body] =
      carrier === null
        ? [`USDOT ${usdot}`, missingPage(context, String(usdot))]
        : [carrier.company, carrierPage(context, caller, carrier)];
    sendPage(context, response, { title, status: carrier === null ? 404 : 200, body, session });
  });
};

const carrierLink = (context: EntryContext, usdot: number | string): string =>
  dashboardLink(context, `/carriers/${usdot}`);

type Carrier = components["schemas"]["CarrierOut"];

/** The carrier for a person to look at; null when no feed of the plan has it. */
async function find(context: EntryContext, caller: Caller, usdot: string): Promise<Carrier | null> {
  try {
    return await previewCarrier(context, caller, usdot);
  } catch (error) {
    if (error instanceof ProblemError && error.code === "not_found") return null;
    throw error;
  }
}

const searchPage = (context: EntryContext, typed: string): Html => html`<h1>Find a company</h1>
<form class="stack" method="get" action="${dashboardLink(context, "/carriers")}">
${field({
  name: "company",
  label: "USDOT or docket number",
  value: typed,
  hint: "A USDOT number has 1 to 8 digits. A docket number is MC, FF or MX and digits, like MC-123456.",
  error:
    typed === "" ? undefined : "This is neither a USDOT number nor a docket number. Names are not searched.",
  maxLength: SOUGHT_CHARACTERS,
  hasFocus: true,
})}
<button>Find</button>
</form>
<p class="hint">Companies of your plan's feeds and states are found. Looking at them here is free.</p>`;

const docketPage = (context: EntryContext, docket: string, found: readonly FeedRecords[]): Html =>
  found.length === 0
    ? html`<h1>${docket}</h1>
${emptyState({
  title: `No company of your plan has docket number ${docket}`,
  text: "None of your feeds has a record with this docket number in your states. Check the number, or find the company by its USDOT number.",
})}`
    : html`<h1>${docket}</h1>
<p>Several companies of your plan have this docket number.</p>
<ul>
${found.map(
  ({
    usdot,
    company,
  }) => html`<li><a href="${carrierLink(context, usdot)}">${company}</a>, USDOT ${usdot}</li>
`,
)}</ul>`;

const missingPage = (context: EntryContext, usdot: string): Html => html`<h1>USDOT ${usdot}</h1>
${emptyState({
  title: `No company of your plan has USDOT number ${usdot}`,
  text: "None of your feeds has a record of this number in your states. Check the number, or look for its events: they may be older than your feeds.",
  action: html`<a class="button quiet" href="${dashboardLink(context, `/events?usdot=${usdot}`)}">Look for its events</a>`,
})}`;

const carrierPage = (
  context: EntryContext,
  plan: PlanShown,
  carrier: Carrier,
): Html => html`<h1>${carrier.company}</h1>
${factsOf(carrier)}
<h2>Records</h2>
<p>What your feeds say of this company. Looking at it here is free.</p>
${recordsBeside(
  carrier.records.flatMap(({ feed: code, as_of, record }) => {
    const feed = feedOf(code);
    return feed === undefined ? [] : [{ feed, record, head: headOf(context, feed, as_of) }];
  }),
)}
<h2>Newest events</h2>
${
  carrier.events.length === 0
    ? emptyState({
        title: "No events",
        text: "Your plan has seen no change of this company's operating authority.",
      })
    : eventList(context, carrier.events)
}
${
  plan.hasApiAccess
    ? ownProgramPart(context, {
        path: `/v1/carriers/${carrier.usdot}`,
        cost: `This request charges ${countOf(carrier.records.length, "row")} of the month's quota: one for each record. Events are free with it.`,
      })
    : noApiAccess(context, plan)
}`;

function factsOf({ usdot, records }: Carrier): Html {
  const each = (told: (record: Carrier["records"][number]["record"]) => string | null | undefined) =>
    [...new Set(records.map(({ record }) => told(record)).filter(Boolean))].join(", ");
  return facts([
    ["USDOT number", usdot],
    ["Docket number", each((record) => record.docket_number)],
    ["State", each((record) => record.state)],
  ]);
}

const headOf = (
  context: EntryContext,
  { code, name }: { code: string; name: string },
  asOf: string | null | undefined,
): Html => html`<a href="${dashboardLink(context, `/feeds/${code}`)}">${name}</a><br>as of ${asOf}`;
