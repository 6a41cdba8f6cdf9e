import { type Caller, callerOfAccount } from "../../../accounts/keys/caller.ts";
import { previewCarrier } from "../../../carriers/carrier-lookup.ts";
import { previewSearch } from "../../../carriers/search.ts";
import { feedOf } from "../../../feeds/catalogue.ts";
import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { InvalidRequestError } from "../../../platform/http/invalid-request.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { countOf } from "../../../platform/plural.ts";
import { readUsdot, typedDocket, typedUsdot } from "../../../registry/docket.ts";
import { dashboardLink } from "../../frame/links.ts";
import { field } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState } from "../../kit/notice.ts";
import { table } from "../../kit/table.ts";
import { SOUGHT_CHARACTERS, sendPage } from "../dashboard-page.ts";
import { queryOf } from "../parts/form-fields.ts";
import { watchForm } from "../parts/watchlists/watch-form.ts";
import type { Routes } from "../signed-in.ts";
import { carrierPage } from "./carrier-page.ts";

/** Routes the search for a company, and the page of one. Neither costs quota; both count as free previews. */
export const carrierRoutes: Routes = (pages, context) => {
  pages.get("/carriers", async (request, response, session) => {
    const typed = queryOf(request).get("company")?.trim().slice(0, SOUGHT_CHARACTERS) ?? "";
    const usdot = typedUsdot(typed);
    if (usdot !== null) return response.redirect(303, carrierLink(context, usdot));
    const caller = await callerOfAccount(context, session.accountId);
    const found = typed === "" ? null : await search(context, caller, typed);
    if (found === null) {
      const status = typed === "" ? 200 : 400;
      const body = searchPage(context, typed);
      return sendPage(context, response, { title: "Find a company", status, body, session, isSearch: true });
    }
    const [first] = found.data;
    if (first && found.data.length === 1) return response.redirect(303, carrierLink(context, first.usdot));
    const body = foundPage(context, typed, found);
    sendPage(context, response, { title: typed, status: first ? 200 : 404, body, session });
  });
  pages.get("/carriers/:usdot", async (request, response, session) => {
    const usdot = readUsdot(String(request.params.usdot));
    if (usdot === null) throw new ProblemError("not_found", "A USDOT number has 1 to 8 digits.");
    const caller = await callerOfAccount(context, session.accountId);
    const carrier = await find(context, caller, String(usdot));
    const [title, body] =
      carrier === null
        ? [`USDOT ${usdot}`, missingPage(context, String(usdot))]
        : [
            carrier.company,
            await carrierPage(
              context,
              caller,
              carrier,
              await watchForm(context, request, session, { plan: caller, usdot }),
            ),
          ];
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

type Found = components["schemas"]["CarriersOut"];

/** More than a person reads; then the name is too common. */
const MOST_FOUND = 50;

/** The companies with a docket number or with a name like it; null when it is neither. */
async function search(context: EntryContext, caller: Caller, typed: string): Promise<Found | null> {
  // No name has control characters, and the database takes no NUL.
  if (/\p{Cc}/u.test(typed)) return null;
  const docket = typedDocket(typed);
  try {
    const sought = docket === null ? { name: typed } : { docket };
    return await previewSearch(context, caller, { ...sought, limit: MOST_FOUND });
  } catch (error) {
    if (error instanceof InvalidRequestError) return null;
    throw error;
  }
}

const searchPage = (context: EntryContext, typed: string): Html => html`<h1>Find a company</h1>
<form class="stack" method="get" action="${dashboardLink(context, "/carriers")}" role="search">
${field({
  name: "company",
  label: "Name, USDOT or docket number",
  value: typed,
  hint: "A name may be incomplete or misspelled. A USDOT number has 1 to 8 digits. A docket number is MC, FF or MX and digits, like MC-123456.",
  error: typed === "" ? undefined : "A name has at least 3 letters or digits.",
  maxLength: SOUGHT_CHARACTERS,
  hasFocus: true,
})}
<button>Find</button>
</form>
<p class="hint">Searches the companies in your plan's feeds and states. Looking at them here is free.</p>`;

const foundPage = (context: EntryContext, typed: string, { data, meta }: Found): Html =>
  data.length === 0
    ? html`<h1>${typed}</h1>
${emptyState({
  title: "No company of your plan was found",
  text: "None of your feeds has a company with this name or docket number in your states. Leave words out, or find the company by its USDOT number.",
  action: html`<a class="button quiet" href="${dashboardLink(context, "/carriers")}">Search again</a>`,
})}`
    : html`<h1>${typed}</h1>
<p>${meta.has_more ? `More than ${data.length} companies` : countOf(data.length, "company", "companies")} of your plan, the most alike first.${
        meta.has_more && " Add a word of the name to see fewer."
      }</p>
${table({
  label: "Companies",
  rowsAreCards: true,
  rows: data,
  columns: [
    {
      head: "Company",
      cell: ({ usdot, company }) => html`<a href="${carrierLink(context, usdot)}">${company}</a>`,
    },
    { head: "Does business as", cell: ({ dba_name }) => dba_name },
    { head: "State", cell: ({ state }) => state },
    { head: "USDOT number", cell: ({ usdot }) => usdot },
    { head: "Docket numbers", cell: ({ docket_numbers }) => docket_numbers.join(", ") },
    { head: "Feeds", cell: ({ feeds }) => feeds.map((code) => feedOf(code)?.name ?? code).join(", ") },
  ],
})}`;

const missingPage = (context: EntryContext, usdot: string): Html => html`<h1>USDOT ${usdot}</h1>
${emptyState({
  title: `No company of your plan has USDOT number ${usdot}`,
  text: "None of your feeds has a record of this number in your states. Check the number, or look for its events: they may be older than your feeds.",
  action: html`<a class="button quiet" href="${dashboardLink(context, `/events?usdot=${usdot}`)}">Look for its events</a>`,
})}`;
