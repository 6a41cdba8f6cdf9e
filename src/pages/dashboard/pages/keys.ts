import { callerOfAccount } from "../../../accounts/keys/account-caller.ts";
import { createOwnKey, type KeyShown, listKeys, revokeKey } from "../../../accounts/keys/keys.ts";
import type { Session } from "../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../platform/context.ts";
import { ProblemError } from "../../../platform/http/problem.ts";
import { OperatorError } from "../../../platform/operator-error.ts";
import { dashboardLink } from "../../frame/links.ts";
import { type Html, html } from "../../kit/html.ts";
import { shownTime } from "../../kit/time.ts";
import type { Routes } from "../dashboard.ts";
import { formToken, sendPage } from "../layout.ts";
import { fieldOf } from "../parts/form-fields.ts";
import { noApiAccess, type PlanShown } from "../parts/plan-note.ts";
import { noteOf, redirectWithNote } from "../parts/shown-once.ts";
import { problemOf, sendProblem } from "../problem-page.ts";

/** The note that shows a new key once. */
interface MadeKey {
  key: string;
}

/** Routes the list of API keys, and making and revoking a key. */
export const keyRoutes: Routes = (router, context, guard) => {
  const here = "/keys";
  const page = async (session: Session, parts: { status?: number; top?: Html | null }) => {
    const [plan, keys] = await Promise.all([
      callerOfAccount(context, session.accountId),
      listKeys(context, session.accountId),
    ]);
    const body = keysPage(context, session, { plan, keys, top: parts.top ?? null });
    return { title: "API keys", status: parts.status ?? 200, body, session, here };
  };
  router.get(
    "/keys",
    guard(async (request, response, session) => {
      const made = await noteOf<MadeKey>(context, request);
      const top = made === "gone" ? KEY_WAS_SHOWN : made && newKey(context, made.key);
      sendPage(context, response, await page(session, { top }));
    }),
  );
  router.post(
    "/keys",
    guard(async (request, response, session) => {
      try {
        const caller = await callerOfAccount(context, session.accountId);
        const { key } = await createOwnKey(context, caller, fieldOf(request, "name"));
        const note: MadeKey = { key };
        await redirectWithNote(context, request, response, { address: dashboardLink(context, here), note });
      } catch (error) {
        if (!(error instanceof OperatorError || error instanceof ProblemError)) throw error;
        const { status, detail } = problemOf(error);
        const top = html`<p class="notice bad" role="alert">${detail}</p>`;
        sendPage(context, response, await page(session, { status, top }));
      }
    }),
  );
  router.get(
    "/keys/:id/revoke",
    guard(async (request, response, session) => {
      const key = (await listKeys(context, session.accountId)).find(({ id }) => id === request.params.id);
      if (!key || key.revoked_at !== null) return sendProblem(context, response, NO_SUCH_KEY);
      const body = confirmRevoking(context, session, key);
      sendPage(context, response, { title: "Revoke a key", body, session, here });
    }),
  );
  router.post(
    "/keys/:id/revoke",
    guard(async (request, response, session) => {
      try {
        await revokeKey(context, String(request.params.id), session.accountId);
      } catch (error) {
        if (error instanceof OperatorError) return sendProblem(context, response, NO_SUCH_KEY);
        throw error;
      }
      response.redirect(303, dashboardLink(context, here));
    }),
  );
};

const NO_SUCH_KEY = {
  status: 404,
  title: "Not found",
  detail: "Your account has no active key with this number.",
};

const keysPage = (
  context: EntryContext,
  session: Session,
  { plan, keys, top }: { plan: PlanShown; keys: readonly KeyShown[]; top: Html | null },
): Html => html`<h1>API keys</h1>
${top}
${noApiAccess(context, plan)}
${plan.hasApiAccess && keyForm(context, session)}
<h2>Your keys</h2>
${!plan.hasApiAccess && keys.some((key) => key.revoked_at === null) && html`<p>Requests with these keys are refused until the plan has API access.</p>`}
${keys.length === 0 ? html`<p>None yet.</p>` : keyTable(context, keys)}`;

const keyForm = (context: EntryContext, session: Session): Html => html`<h2>Make a key</h2>
<form class="stack" method="post" action="${dashboardLink(context, "/keys")}">
${formToken(session)}
<label for="name">What the key is for</label>
<input id="name" name="name" maxlength="100" required placeholder="Nightly sync">
<button>Make a key</button>
</form>`;

const keyTable = (
  context: EntryContext,
  keys: readonly KeyShown[],
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="Your keys">
<table>
<caption>Times are UTC. A key's secret cannot be shown again.</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Begins with</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">State</th></tr></thead>
<tbody>
${keys.map(
  (
    key,
  ) => html`<tr><td>${key.name}</td><td><code>${key.prefix}_…</code></td><td>${shownTime(key.created_at)}</td>
<td>${key.last_used_at === null ? "never" : shownTime(key.last_used_at)}</td>
<td>${
    key.revoked_at === null
      ? html`<span class="good">in use</span> · <a href="${dashboardLink(context, `/keys/${key.id}/revoke`)}" aria-label="Revoke ${key.name}">revoke</a>`
      : html`<span class="bad">revoked</span> ${shownTime(key.revoked_at)}`
  }</td></tr>
`,
)}</tbody>
</table>
</div>`;

const KEY_WAS_SHOWN = html`<p class="notice">Your new key was already shown once. If you did not copy it, revoke it below and
make another one.</p>`;

const newKey = (context: EntryContext, key: string): Html => {
  const curl = `curl -H 'X-API-Key: ${key}' '${context.config.publicUrl}/v1/feeds'`;
  return html`<section class="notice" aria-labelledby="new-key-title">
<h2 id="new-key-title">Your new key</h2>
<p>Copy it now. It cannot be shown again, because only its hash is stored.</p>
<pre tabindex="0"><code id="new-key">${key}</code></pre>
<p><button type="button" data-copy="new-key">Copy the key</button></p>
<p>The key works at once. Try it in a terminal:</p>
<pre tabindex="0"><code id="new-key-curl">${curl}</code></pre>
<p><button type="button" class="quiet" data-copy="new-key-curl">Copy the line</button></p>
</section>`;
};

const confirmRevoking = (
  context: EntryContext,
  session: Session,
  key: KeyShown,
): Html => html`<h1>Revoke a key</h1>
<p>From now on, requests with <strong>${key.name}</strong> (<code>${key.prefix}_…</code>) are refused with
<code>401 revoked_api_key</code>. A revoked key cannot be restored.</p>
<p>Last used: ${key.last_used_at === null ? "never" : shownTime(key.last_used_at)}</p>
<form class="row" method="post">
${formToken(session)}
<button class="danger">Revoke it</button>
<a class="button quiet" href="${dashboardLink(context, "/keys")}">Keep it</a>
</form>`;
