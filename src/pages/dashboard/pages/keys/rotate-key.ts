import { MOST_GRACE_SECONDS, USUAL_GRACE_SECONDS } from "../../../../accounts/keys/managed-keys.ts";
import type { KeyShown } from "../../../../accounts/keys/shown-key.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { choice } from "../../../kit/field.ts";
import { type Html, html } from "../../../kit/html.ts";
import { backTo } from "../../../kit/navigation.ts";
import { sendPage } from "../../dashboard-page.ts";
import { redirectWithNote } from "../../parts/after-action.ts";
import { confirmForm, shownMark, shownMarkOf } from "../../parts/confirm.ts";
import { fieldOf, NOT_IN_LIST } from "../../parts/form-fields.ts";
import { sendProblem } from "../../problem-page.ts";
import type { Routes } from "../../signed-in.ts";
import {
  keyFacts,
  keyInUse,
  type MadeKey,
  NO_SUCH_KEY,
  rotateShownKey,
  secretMarkOfShown,
} from "./key-parts.ts";

const DAY_SECONDS = 86_400;

/** How long the old secret works, in seconds, and the words for it. */
const GRACES = [
  ["0", "not at all: it leaked"],
  ["3600", "one hour"],
  [String(USUAL_GRACE_SECONDS), "24 hours"],
  ["604800", "7 days"],
  [String(MOST_GRACE_SECONDS), `${MOST_GRACE_SECONDS / DAY_SECONDS} days`],
] as const;

/** Routes the page that gives a key a new secret. */
export const rotateRoutes: Routes = (pages, context) => {
  pages.question("/keys/:id/rotate", "rotate keys", async (request, response, session) => {
    const key = await keyInUse(context, session, request.params.id);
    if (!key) return sendProblem(context, response, NO_SUCH_KEY, session);
    sendPage(context, response, await rotatePage(context, session, key));
  });
  pages.post("/keys/:id/rotate", "rotate keys", async (request, response, session) => {
    const key = await keyInUse(context, session, request.params.id);
    if (!key) return sendProblem(context, response, NO_SUCH_KEY, session);
    const grace = fieldOf(request, "grace");
    if (!GRACES.some(([seconds]) => seconds === grace))
      return sendPage(context, response, {
        ...(await rotatePage(context, session, key, NOT_IN_LIST)),
        status: 400,
      });
    const made = await rotateShownKey(context, session, key, {
      graceSeconds: Number(grace),
      shownMark: shownMarkOf(request),
    });
    const note: MadeKey = { key: made.key, previousUntil: made.previous_valid_until };
    await redirectWithNote(context, request, response, { address: dashboardLink(context, "/keys"), note });
  });
};

async function rotatePage(context: EntryContext, session: Session, key: KeyShown, error?: string) {
  const mark = await secretMarkOfShown(context, key);
  const body: Html = html`${backTo(dashboardLink(context, "/keys"), "API keys")}<h1>Rotate a key</h1>
<p>The key will get a new secret, which is shown once. Its name, what it may do and its usage stay.${
    key.previous_valid_until !== null && " The secret before the one that you rotate now will end at once."
  }</p>
${keyFacts(key)}
${confirmForm(session, { button: "Rotate the key", cancel: dashboardLink(context, "/keys"), fields: html`${shownMark(mark)}${choice({ name: "grace", label: "How long the old secret still works", choices: GRACES, value: String(USUAL_GRACE_SECONDS), error, hasFocus: error !== undefined })}` })}`;
  return { title: "Rotate a key", body, session, here: "/keys" };
}
