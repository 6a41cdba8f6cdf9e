import { areUsual } from "../../../../accounts/keys/grant.ts";
import { isAnswered, type KeyShown } from "../../../../accounts/keys/shown-key.ts";
import { mayDo } from "../../../../accounts/people/roles.ts";
import type { Session } from "../../../../accounts/sessions/sessions.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { badge } from "../../../kit/badge.ts";
import { type Html, html } from "../../../kit/html.ts";
import { table } from "../../../kit/table.ts";
import { shownTime } from "../../../kit/time.ts";
import { madeBy } from "../../made-by.ts";

/** Keys of the account: those in use first, the newest of each kind before the others. Who made test keys is not kept. */
export const keyTable = (
  context: EntryContext,
  { person: { role } }: Session,
  keys: readonly KeyShown[],
  { label, isTest }: { label: string; isTest: boolean } = { label: "Your keys", isTest: false },
): Html =>
  table({
    label,
    caption: "A key's secret cannot be shown again.",
    rows: keys.toReversed().toSorted((one, other) => Number(isAnswered(other)) - Number(isAnswered(one))),
    hasManyColumns: true,
    rowsAreCards: true,
    columns: [
      { head: "Name", cell: ({ name }) => name },
      { head: "State", isStatus: true, cell: stateCell },
      { head: "Begins with", isWide: true, cell: ({ prefix }) => html`<code>${prefix}_…</code>` },
      { head: "May", isWide: true, cell: (key) => html`${scopesCell(key)}<br>${networksCell(key)}` },
      { head: "Last used", cell: ({ last_used_at: used }) => (used === null ? "never" : shownTime(used)) },
      {
        head: "Created",
        cell: ({ created_at, made_by }) => {
          const maker = isTest ? null : madeBy(made_by);
          return html`${shownTime(created_at)}${maker && html` by ${maker}`}`;
        },
      },
      {
        head: "Change",
        isAction: true,
        cell: (key) =>
          isAnswered(key) &&
          html`<span class="row">${mayDo(role, "rotate keys") && link(context, key, "Rotate")}
${mayDo(role, "revoke keys") && link(context, key, "Revoke")}</span>`,
      },
    ],
  });

const link = (context: EntryContext, { id, name }: KeyShown, action: "Rotate" | "Revoke"): Html =>
  html`<a${action === "Revoke" && html` class="danger"`} href="${dashboardLink(context, `/keys/${id}/${action.toLowerCase()}`)}" aria-label="${action} ${name}">${action}</a>`;

function stateCell(key: KeyShown): Html {
  if (key.state === "revoked") return html`${badge("bad", "revoked")} ${shownTime(key.revoked_at)}`;
  if (key.state === "expired") return html`${badge("bad", "expired")} ${shownTime(key.expires_at)}`;
  return html`${badge("good", "in use")}${key.expires_at !== null && html` ends ${shownTime(key.expires_at)}`}${
    key.state === "in_grace" &&
    html` ${badge("warn", "rotated")} old secret until ${shownTime(key.previous_valid_until)}`
  }`;
}

const networksCell = ({ allowed_networks: networks }: KeyShown): Html =>
  networks === null ? html`from any network` : html`from <code>${networks.join(" ")}</code>`;

/** The usual scopes in words, because most keys have them. */
const scopesCell = ({ scopes }: KeyShown): Html | string =>
  areUsual(scopes) ? "everything but managing keys" : html`<code>${scopes.join(" ")}</code>`;
