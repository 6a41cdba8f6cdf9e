import type { components } from "../../../generated/types.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";

type Endpoint = Pick<components["schemas"]["WebhookOut"], "id" | "url">;

/** The address of the page of an endpoint. */
export const endpointLink = (context: EntryContext, { id }: Pick<Endpoint, "id">): string =>
  dashboardLink(context, `/webhooks/${id}`);

/** A link to the page of an endpoint. */
export const linkedAddress = (context: EntryContext, endpoint: Endpoint): Html =>
  html`<a href="${endpointLink(context, endpoint)}" title="${withoutQuery(endpoint)}">${shownAddress(endpoint)}</a>`;

const [MOST, START, END] = [48, 29, 18];

/** The address of an endpoint, shortened in the middle: host and end tell endpoints apart. */
export function shownAddress(endpoint: Endpoint): string {
  const address = withoutQuery(endpoint);
  return address.length <= MOST ? address : `${address.slice(0, START)}…${address.slice(-END)}`;
}

/** The query may hold a secret. */
function withoutQuery({ url }: Endpoint): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
