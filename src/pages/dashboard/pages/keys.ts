import { callerOfAccount } from "../../../accounts/keys/caller.ts";
import { createOwnKey, type KeyShown, listKeys, revokeKey } from "../../../accounts/keys/keys.ts";
import { mayDo } from "../../../accounts/people/roles.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { OperatorError } from "../../../platform/operator-error.ts";
import { dashboardLink, linkTo } from "../../frame/links.ts";
import { badge } from "../../kit/badge.ts";
import { codeBlock } from "../../kit/code-block.ts";
import { field, type Mistake, mistakeList, wrongIn } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { emptyState, errorNotice, notice } from "../../kit/notice.ts";
import { facts, table } from "../../kit/table.ts";
import { shownTime } from "../../kit/time.ts";
import { formToken, sendPage } from "../dashboard-page.ts";
import { madeBy } from "../made-by.ts";
import { addressAfter, doneToast, noteOf, redirectWithNote } from "../parts/after-action.ts";
import { fieldOf } from "../parts/form-fields.ts";
import { noApiAccess, type PlanShown } from "../plan-note.ts";
import { problemOf, sendProblem } from "../problem-page.ts";
import { callerOf, type Routes } from "../signed-in.ts";

/** The note that shows a new key once. */
interface MadeKey {
  key: string;
}

const HERE = "/keys";

/** Routes the list of API keys, and making and revoking a key. */
export const keyRoutes: Routes = (pages, context) => {
  pages.get("/keys", async (request, response, session) => {
    const made = await noteOf<MadeKey>(context, request);
    const top = made === "gone" ? KEY_WAS_SHOWN : made ? newKey(context, made.key) : doneToast(request);
    sendPage(context, response, await listPage(context, session, { top }));
  });
  pages.post("/keys", "make keys", async (request, response, session) => {
    const name = fieldOf(request, "name");
    try {
      const { key } = await createOwnKey(context, await callerOf(context, session), name);
      const note: MadeKey = { key };
      await redirectWithNote(context, request, response, { address: dashboardLink(context, HERE), note });
    } catch (error) {
      if (!(error instanceof OperatorError || error instanceof ProblemError)) throw error;
      const { status, detail } = problemOf(error);
      // An operator's error is about the name; a problem is about the account.
      const mistakes = error instanceof OperatorError ? [wrongName(detail)] : [];
      const top = mistakes.length > 0 ? mistakeList("No key was made.", mistakes) : errorNotice(detail);
      const page = await listPage(context, session, { top, mistakes, name });
      sendPage(context, response, { ...page, status });
    }
  });
  pages.get("/keys/:id/revoke", async (request, response, session) => {
    const key = await keyOf(context, session, request.params.id);
    if (!key || key.revoked_at !== null) return sendProblem(context, response, NO_SUCH_KEY, session);
    const body = confirmRevoking(context, session, key);
    sendPage(context, response, { title: "Revoke a key", body, session, here: HERE });
  });
  pages.post("/keys/:id/revoke", "revoke keys", async (request, response, session) => {
    const key = await keyOf(context, session, request.params.id);
    if (!key) return sendProblem(context, response, NO_SUCH_KEY, session);
    await revokeKey(context, key.id, session.accountId, session);
    response.redirect(303, addressAfter(dashboardLink(context, HERE), "revoked"));
  });
};

const NO_SUCH_KEY = {
  status: 404,
  title: "Not found",
  detail: "Your account has no active key with this number.",
};

/** The account's key with that identifier, revoked or not. */
const keyOf = async (
  context: EntryContext,
  { accountId }: Session,
  id: unknown,
): Promise<KeyShown | undefined> => (await listKeys(context, accountId)).find((key) => key.id === id);

async function listPage(
  context: EntryContext,
  session: Session,
  {
    top,
    mistakes = [],
    name = "",
  }: { top: Html | false | null; mistakes?: readonly Mistake[]; name?: string },
) {
  const [plan, keys] = await Promise.all([
    callerOfAccount(context, session.accountId),
    listKeys(context, session.accountId),
  ]);
  const body = html`<h1>API keys</h1>
${top}
${noApiAccess(context, plan)}
${plan.hasApiAccess && mayDo(session.person.role, "make keys") && keyForm(context, session, { name, mistakes })}
<h2>Your keys</h2>
${keys.length === 0 ? noKeys(context, plan) : keyTable(context, session, plan, keys)}`;
  return { title: "API keys", body, session, here: HERE };
}

const NAME = "What the key is for";
const wrongName = (message: string): Mistake => ({ name: "name", label: NAME, message });

const keyForm = (
  context: EntryContext,
  session: Session,
  { name, mistakes }: { name: string; mistakes: readonly Mistake[] },
): Html => html`<p>Your programs send a key with each request, in the header <code>X-API-Key</code>. Give each program a key of its own:
then usage shows them apart, and you can revoke one without the others.</p>
<form class="stack" method="post" action="${dashboardLink(context, HERE)}">
${formToken(session)}
${field({ name: "name", label: NAME, ...wrongIn(mistakes, "name"), value: name, maxLength: 100, placeholder: "Nightly sync", isRequired: true })}
<button>Make a key</button>
</form>`;

const noKeys = (context: EntryContext, { hasApiAccess }: PlanShown): Html =>
  emptyState({
    title: "No key yet",
    text: hasApiAccess
      ? html`Make one above, and paste the line that is shown with it into a terminal. <a href="${linkTo(context, "/docs/start")}">Start in five minutes</a> says how to go on.`
      : "Keys can be made when the plan has API access.",
  });

const keyTable = (
  context: EntryContext,
  { person }: Session,
  { hasApiAccess }: PlanShown,
  keys: readonly KeyShown[],
): Html => html`${!hasApiAccess && keys.some(isInUse) && html`<p>Requests with these keys are refused until the plan has API access.</p>`}
${table({
  label: "Your keys",
  caption: "A key's secret cannot be shown again.",
  // Keys in use first, the newest of each kind before the others.
  rows: keys.toReversed().toSorted((one, other) => Number(isInUse(other)) - Number(isInUse(one))),
  columns: [
    { head: "Name", cell: ({ name }) => name },
    {
      head: "State",
      cell: (key) =>
        isInUse(key)
          ? badge("good", "in use")
          : html`${badge("bad", "revoked")} ${shownTime(key.revoked_at)}`,
    },
    { head: "Begins with", cell: ({ prefix }) => html`<code>${prefix}_…</code>` },
    { head: "Last used", cell: ({ last_used_at: used }) => (used === null ? "never" : shownTime(used)) },
    { head: "Created", cell: ({ created_at }) => shownTime(created_at) },
    { head: "Made by", cell: ({ made_by }) => madeBy(made_by) },
    {
      head: "Revoke",
      cell: (key) =>
        isInUse(key) &&
        mayDo(person.role, "revoke keys") &&
        html`<a href="${dashboardLink(context, `${HERE}/${key.id}/revoke`)}" aria-label="Revoke ${key.name}">Revoke</a>`,
    },
  ],
})}`;

const isInUse = ({ revoked_at }: KeyShown): boolean => revoked_at === null;

const KEY_WAS_SHOWN = notice(
  "info",
  "Your new key was already shown once. If you did not copy it, revoke it below and make another one.",
);

const newKey = (context: EntryContext, key: string): Html => {
  const curl = `curl -H 'X-API-Key: ${key}' '${context.config.publicUrl}/v1/feeds'`;
  const body = html`<p>Copy it now. It cannot be shown again, because only its hash is stored.</p>
${codeBlock({ id: "new-key", code: key, language: "text", copy: "Copy the key" })}
<p>The key works at once. Try it in a terminal:</p>
${codeBlock({ id: "new-key-curl", code: curl, language: "bash", copy: "Copy the line" })}`;
  return notice("good", body, { id: "new-key-title", text: "Your new key" });
};

const confirmRevoking = (
  context: EntryContext,
  session: Session,
  key: KeyShown,
): Html => html`<h1>Revoke a key</h1>
<p>From now on, requests with this key are refused with <code>401 revoked_api_key</code>. A revoked key cannot be restored.</p>
${facts([
  ["Name", key.name],
  ["Begins with", html`<code>${key.prefix}_…</code>`],
  ["Last used", key.last_used_at === null ? "never" : shownTime(key.last_used_at)],
])}
<form class="row" method="post">
${formToken(session)}
<button class="danger">Revoke it</button>
<a class="button quiet" href="${dashboardLink(context, HERE)}">Keep it</a>
</form>`;
