import type { EntryContext } from "../../platform/context.ts";
import { linkTo } from "../frame/links.ts";
import { type Html, html } from "../kit/html.ts";

/** The link to the form by which strangers get an account; that of a plan chooses the plan in the form. */
export const wayIn = (context: EntryContext, plan?: { code: string; name: string }): Html =>
  html`<a class="button" href="${linkTo(context, `/request-access${plan ? `?plan=${plan.code}` : ""}`)}"${plan && html` aria-label="Request access to the plan ${plan.name}"`}>Request access</a>`;
