import type { KeyShown } from "../../../../accounts/keys/shown-key.ts";
import { mayDo } from "../../../../accounts/people/roles.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { OperatorError } from "../../../../platform/operator-error.ts";
import { createTestKey } from "../../../../testmode/test-keys.ts";
import { dashboardLink, linkTo } from "../../../frame/links.ts";
import { type Html, html } from "../../../kit/html.ts";
import { formToken } from "../../dashboard-page.ts";
import { redirectWithNote } from "../../parts/after-action.ts";
import { problemOf, sendProblem } from "../../problem-page.ts";
import type { Routes } from "../../signed-in.ts";
import type { MadeKey } from "./key-parts.ts";
import { keyTable } from "./key-table.ts";

/** Routes the making of a test key. */
export const testKeyRoutes: Routes = (pages, context) => {
  pages.post("/keys/test", "make keys", async (request, response, session) => {
    try {
      const { key } = await createTestKey(context, session.accountId, "Test", session);
      const note: MadeKey = { key };
      await redirectWithNote(context, request, response, { address: dashboardLink(context, "/keys"), note });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      sendProblem(context, response, problemOf(error), session);
    }
  });
};

/** The part of the page of keys about test keys. */
export const testKeysPart = (
  context: EntryContext,
  session: Session,
  keys: readonly KeyShown[],
): Html => html`<h2>Test keys</h2>
<p>With a test key a program reads and writes <a href="${linkTo(context, "/docs/testing")}">test mode</a>: a small made-up registry, the same for
everybody. It costs nothing, and no live data comes near it. The very first test key takes some seconds to make.</p>
${
  mayDo(session.person.role, "make keys") &&
  html`<form class="row" method="post" action="${dashboardLink(context, "/keys/test")}">
${formToken(session)}
<button class="quiet">Make a test key</button>
</form>`
}
${keys.length > 0 && keyTable(context, session, keys, { label: "Test keys", isTest: true })}`;
