import type { Tone } from "./badge.ts";
import { type Html, html } from "./html.ts";

/** A framed message. With a title it is a section of the page. */
export const notice = (tone: Tone, body: Html | string, title?: { id: string; text: string }): Html =>
  title === undefined
    ? html`<p class="notice ${tone}">${body}</p>
`
    : html`<section class="notice ${tone}" aria-labelledby="${title.id}">
<h2 id="${title.id}">${title.text}</h2>
${body}
</section>
`;

/** A message about something that went wrong. Screen readers read it out at once. */
export const errorNotice = (body: Html | string): Html =>
  html`<p class="notice bad" role="alert">${body}</p>
`;

/** The first line of a page: whether all is well. */
export const verdict = (
  tone: "good" | "warn" | "bad" | "plain",
  text: string,
): Html => html`<p class="verdict ${tone}">${text}</p>
`;

/** The short message that an action has worked, above the page that follows it. */
export const toast = (text: Html | string): Html =>
  html`<p class="toast" role="status">${text}</p>
`;

/** The part of a page that has nothing to show yet: why it is empty, and the next step. */
export const emptyState = ({
  title,
  text,
  action,
}: {
  title: string;
  text: Html | string;
  action?: Html | false;
}): Html => html`<div class="empty">
<p class="empty-title">${title}</p>
<p>${text}</p>
${action && html`<p>${action}</p>`}
</div>
`;

/** The part of a list of which an older page was asked for, and nothing is older: who comes by an old link may find it gone. */
export const noneOlder = (what: string, newest?: { href: string; name: string }): Html =>
  emptyState({
    title: `No older ${what}`,
    text: "There are none, or they are no longer kept.",
    action: newest !== undefined && html`<a class="button quiet" href="${newest.href}">${newest.name}</a>`,
  });
