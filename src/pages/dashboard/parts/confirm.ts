import type { Request } from "express";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import { type Html, html } from "../../kit/html.ts";
import { formToken } from "../dashboard-page.ts";
import { fieldOf } from "./form-fields.ts";

/** The form that asks before something is done that cannot be taken back. It is sent to the page's own address unless `action` names another. */
export const confirmForm = (
  session: Session,
  { button, cancel, fields, action }: { button: string; cancel: string; fields?: Html; action?: string },
): Html => html`<form class="stack" method="post"${action !== undefined && html` action="${action}"`}>
${formToken(session)}
${fields}<div class="row"><button class="danger">${button}</button>
<a class="button quiet" href="${cancel}">Cancel</a></div>
</form>`;

const MARK = "secret_mark";

/** The hidden field of a rotation: the mark of the secret that the page is about. */
export const shownMark = (mark: string | null | undefined): Html =>
  html`<input type="hidden" name="${MARK}" value="${mark ?? ""}">
`;

/** The mark that the page of a sent rotation had; null when it had none. */
export const shownMarkOf = (request: Request): string | null => fieldOf(request, MARK) || null;
