import type { EntryContext } from "../../platform/context.ts";
import { linkTo } from "../frame/links.ts";
import { type Html, html } from "../kit/html.ts";

/** The link by which a stranger gets a key; on the card of a plan, with its name for people who cannot see the card. */
export const wayIn = (context: EntryContext, plan?: { name: string }): Html =>
  html`<a class="button" href="${linkTo(context, "/dashboard")}"${plan && html` aria-label="Get a key of the plan ${plan.name}"`}>Get a key</a>`;
