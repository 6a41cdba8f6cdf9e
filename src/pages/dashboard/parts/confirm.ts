import type { Session } from "../../../accounts/sessions/sessions.ts";
import { type Html, html } from "../../kit/html.ts";
import { formToken } from "../dashboard-page.ts";

/** The form that asks before something is done that cannot be taken back. It is sent to the page's own address unless `action` names another. */
export const confirmForm = (
  session: Session,
  { button, cancel, fields, action }: { button: string; cancel: string; fields?: Html; action?: string },
): Html => html`<form class="stack" method="post"${action !== undefined && html` action="${action}"`}>
${formToken(session)}
${fields}<div class="row"><button class="danger">${button}</button>
<a class="button quiet" href="${cancel}">Cancel</a></div>
</form>`;
