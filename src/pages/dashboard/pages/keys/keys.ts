import { callerOfAccount, requireApiAccess } from "../../../../accounts/keys/caller.ts";
import { createOwnKey } from "../../../../accounts/keys/keys.ts";
import { isAnswered, type KeyShown } from "../../../../accounts/keys/shown-key.ts";
import { mayDo, offered } from "../../../../accounts/people/roles.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { ProblemError } from "../../../../platform/http/problem.ts";
import { dashboardLink, linkTo } from "../../../frame/links.ts";
import { codeBlock } from "../../../kit/code-block.ts";
import type { Mistake } from "../../../kit/field.ts";
import { type Html, html } from "../../../kit/html.ts";
import { backTo } from "../../../kit/navigation.ts";
import { emptyState, errorNotice, notice } from "../../../kit/notice.ts";
import { shownTime } from "../../../kit/time.ts";
import { sendPage } from "../../dashboard-page.ts";
import { addressAfter, doneToast, noteOf, redirectWithNote } from "../../parts/after-action.ts";
import { confirmForm } from "../../parts/confirm.ts";
import { noApiAccess, type PlanShown } from "../../plan-note.ts";
import { problemOf, sendProblem } from "../../problem-page.ts";
import { callerOf, type Routes } from "../../signed-in.ts";
import { keyForm, keyMistakes, NEW_KEY, type TypedKey, termsOf, typedKey } from "./key-form.ts";
import { keyFacts, keyInUse, keyOf, keysOf, type MadeKey, NO_SUCH_KEY, revokeAnyKey } from "./key-parts.ts";
import { keyTable } from "./key-table.ts";
import { rotateRoutes } from "./rotate-key.ts";
import { testKeyRoutes, testKeysPart } from "./test-keys.ts";

const HERE = "/keys";

/** Routes the list of API keys, and making, rotating and revoking a key. */
export const keyRoutes: Routes = (pages, context, router) => {
  pages.get("/keys", async (request, response, session) => {
    const made = await noteOf<MadeKey>(context, request);
    const top = made === "gone" ? KEY_WAS_SHOWN : made ? newKey(context, made) : doneToast(request);
    sendPage(context, response, await listPage(context, session, { top }));
  });
  pages.post("/keys", "make keys", async (request, response, session) => {
    const typed = typedKey(request);
    const outcome = await makeTyped(context, session, typed).catch(refusalOf);
    if ("key" in outcome) {
      const note: MadeKey = { key: outcome.key };
      return redirectWithNote(context, request, response, { address: dashboardLink(context, HERE), note });
    }
    const { status, mistakes, detail } = outcome;
    const top = mistakes.length > 0 ? keyMistakes(mistakes) : errorNotice(detail);
    const page = await listPage(context, session, { top, mistakes, typed });
    sendPage(context, response, { ...page, status });
  });
  rotateRoutes(pages, context, router);
  testKeyRoutes(pages, context, router);
  pages.question("/keys/:id/revoke", "revoke keys", async (request, response, session) => {
    const key = await keyInUse(context, session, request.params.id);
    if (!key) return sendProblem(context, response, NO_SUCH_KEY, session);
    const body = confirmRevoking(context, session, key);
    sendPage(context, response, { title: "Revoke a key", body, session, here: HERE });
  });
  pages.post("/keys/:id/revoke", "revoke keys", async (request, response, session) => {
    const key = await keyOf(context, session, request.params.id);
    if (!key) return sendProblem(context, response, NO_SUCH_KEY, session);
    await revokeAnyKey(context, session, key);
    response.redirect(303, addressAfter(dashboardLink(context, HERE), "revoked"));
  });
};

/** Why a key was not made: its mistakes, or else the detail. */
interface Refusal {
  status: number;
  detail: string;
  mistakes: readonly Mistake[];
}

/** Makes the key that the form asks for, unless the form has mistakes. */
async function makeTyped(
  context: EntryContext,
  session: Session,
  typed: TypedKey,
): Promise<{ key: string } | Refusal> {
  const caller = await callerOf(context, session);
  requireApiAccess(caller);
  const checked = termsOf(typed, context.clock.now());
  if ("mistakes" in checked) return { status: 400, detail: "", mistakes: checked.mistakes };
  return createOwnKey(context, caller, typed.name, checked.terms);
}

/** A problem is about the account. Other errors are thrown on. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ProblemError)) throw error;
  const { status, detail } = problemOf(error);
  return { status, detail, mistakes: [] };
}

async function listPage(
  context: EntryContext,
  session: Session,
  {
    top,
    mistakes = [],
    typed = NEW_KEY,
  }: { top: Html | false | null; mistakes?: readonly Mistake[]; typed?: TypedKey },
) {
  const [plan, { live: keys, test }] = await Promise.all([
    callerOfAccount(context, session.accountId),
    keysOf(context, session),
  ]);
  const body = html`<h1>API keys</h1>
${top}
${noApiAccess(context, plan)}
<p>Your programs send a key with each request, in the header <code>X-API-Key</code>. Give each program a key of its own,
with only what it needs: then usage shows them apart, and you can revoke one without the others. What a key may do never changes.</p>
<h2>Your keys</h2>
${!plan.hasApiAccess && keys.some(isAnswered) && html`<p>Requests with these keys are refused until the plan has API access.</p>`}
${keys.length === 0 ? noKeys(context, session, plan) : keyTable(context, session, keys)}
${plan.hasApiAccess && mayDo(session.person.role, "make keys") && keyForm(context, session, { typed, mistakes })}
${testKeysPart(context, session, test)}`;
  return { title: "API keys", body, session, here: HERE };
}

const noKeys = (context: EntryContext, { person }: Session, { hasApiAccess }: PlanShown): Html =>
  emptyState({
    title: "No key yet",
    text: hasApiAccess
      ? offered(
          person.role,
          "make keys",
          html`Make one below, and paste the line that is shown with it into a terminal. <a href="${linkTo(context, "/docs/start")}">Start in five minutes</a> says how to go on.`,
        )
      : "Keys can be made when the plan has API access.",
  });

const KEY_WAS_SHOWN = notice(
  "info",
  "Your new key was already shown once. If you did not copy it, revoke it below and make another one.",
);

const newKey = (context: EntryContext, { key, previousUntil }: MadeKey): Html => {
  const curl = `curl -H 'X-API-Key: ${key}' '${context.config.publicUrl}/v1/feeds'`;
  const body = html`<p>Copy it now. It cannot be shown again, because only its hash is stored.</p>
${codeBlock({ id: "new-key", code: key, language: "text", copy: "Copy the key" })}
<p>The key works at once. ${oldSecret(previousUntil)}Try it in a terminal:</p>
${codeBlock({ id: "new-key-curl", code: curl, language: "bash", copy: "Copy the line" })}`;
  return notice("good", body, { id: "new-key-title", text: "Your new key" });
};

function oldSecret(until: string | null | undefined): Html | string {
  if (until === undefined) return "";
  return until === null
    ? "The old secret has ended. "
    : html`The old secret works until ${shownTime(until)}: change your programs over by then. `;
}

const confirmRevoking = (
  context: EntryContext,
  session: Session,
  key: KeyShown,
): Html => html`${backTo(dashboardLink(context, HERE), "API keys")}<h1>Revoke a key</h1>
<p>Requests with this key will be refused with <code>401 revoked_api_key</code> at once. A revoked key cannot be restored.</p>
${keyFacts(key)}
${confirmForm(session, { button: "Revoke the key", cancel: dashboardLink(context, HERE) })}`;
