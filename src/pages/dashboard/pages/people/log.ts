import {
  ACTIONS_KEPT_DAYS,
  type ActionShown,
  type LoggedAction,
  listActions,
} from "../../../../accounts/people/account-log.ts";
import type { EntryContext } from "../../../../platform/context.ts";
import { dashboardLink } from "../../../frame/links.ts";
import { type Html, html } from "../../../kit/html.ts";
import { backTo, pager } from "../../../kit/navigation.ts";
import { emptyState, noneOlder } from "../../../kit/notice.ts";
import { table } from "../../../kit/table.ts";
import { shownTime } from "../../../kit/time.ts";
import { sendPage } from "../../dashboard-page.ts";
import { queryOf } from "../../parts/form-fields.ts";
import type { Routes } from "../../signed-in.ts";

const ACTIONS_SHOWN = 100;

/** Routes the log of what people did in the account. */
export const logRoutes: Routes = (pages, context) => {
  pages.get("/people/log", async (request, response, session) => {
    const asked = queryOf(request).get("before") ?? "";
    const before = /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : null;
    // One more than shown, to find out whether there are older ones.
    const found = await listActions(context, session.accountId, { before, most: ACTIONS_SHOWN + 1 });
    const body = logPage(context, {
      actions: found.slice(0, ACTIONS_SHOWN),
      before,
      hasOlder: found.length > ACTIONS_SHOWN,
    });
    sendPage(context, response, { title: "What people did", body, session, here: "/people" });
  });
};

interface LogPage {
  actions: readonly ActionShown[];
  before: number | null;
  hasOlder: boolean;
}

function logPage(context: EntryContext, { actions, before, hasOlder }: LogPage): Html {
  const here = dashboardLink(context, "/people/log");
  const last = actions.at(-1);
  const none = before === null ? NOTHING_DONE : noneOlder("actions");
  return html`${backTo(dashboardLink(context, "/people"), "People")}<h1>What people did</h1>
<p>What people did in this dashboard in the last ${ACTIONS_KEPT_DAYS} days. What programs did with a key, and what the operator did, is not in it.</p>
${actions.length === 0 ? none : logTable(actions)}
${pager({
  newest: before !== null && { href: here, name: "Newest" },
  older: hasOlder && last !== undefined && { href: `${here}?before=${last.id}`, name: "Older" },
})}`;
}

const NOTHING_DONE = emptyState({ title: "Nothing yet", text: "What people do from now on appears here." });

const logTable = (actions: readonly ActionShown[]): Html =>
  table({
    label: "What people did",
    rowsAreCards: true,
    rows: actions,
    columns: [
      { head: "When", cell: ({ at }) => shownTime(at) },
      { head: "Who", isWide: true, cell: ({ person }) => person },
      { head: "What", cell: inWords, isLong: true },
    ],
  });

/** What was done; {} stands for what it was done to. */
const WORDS: Readonly<Record<LoggedAction, string>> = {
  signed_in: "signed in",
  signed_out_everywhere: "signed out everywhere",
  invited: "invited {}",
  invitation_withdrawn: "withdrew the invitation of {}",
  joined: "joined as {}",
  role_changed: "changed the role of {}",
  removed: "removed {}",
  left: "left the account",
  key_made: "made the key {}",
  key_rotated: "gave the key {} a new secret",
  test_key_made: "made the test key {}",
  test_key_rotated: "gave the test key {} a new secret",
  test_key_revoked: "revoked the test key {}",
  key_revoked: "revoked the key {}",
  endpoint_made: "registered endpoint {}",
  endpoint_changed: "changed endpoint {}",
  endpoint_paused: "paused endpoint {}",
  endpoint_enabled: "enabled endpoint {}",
  endpoint_deleted: "deleted endpoint {}",
  secret_rotated: "rotated the secret of endpoint {}",
  watchlist_made: "made the watchlist {}",
  watchlist_changed: "changed the watchlist {}",
  watchlist_deleted: "deleted the watchlist {}",
  daily_mail_switched: "switched the daily mail {}",
  export_started: "downloaded {}",
};

function inWords({ action, subject }: ActionShown): Html {
  const [before = "", after] = (Object.hasOwn(WORDS, action) ? WORDS[action as LoggedAction] : action).split(
    "{}",
  );
  return html`${before}${after !== undefined && html`<strong>${subject}</strong>${after}`}`;
}
