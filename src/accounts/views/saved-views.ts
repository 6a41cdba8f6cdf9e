// Saved views: filters, columns and order of a feed's page, which an account finds again by name.
// It owns the table saved_view, which holds no record of a feed. It promises that only its own account sees and deletes a view.
import * as sql from "../../generated/sql/accounts/views.ts";
import type { Context } from "../../platform/context.ts";
import { lockAccount } from "../accounts.ts";

/** As many views as an account may have. */
export const MOST_VIEWS = 100;

export interface SavedView {
  id: number;
  feedCode: string;
  name: string;
  /** The query of the feed's page, empty or from its question mark on. */
  search: string;
  savedAt: Date;
}

/** The account's views, those of one feed if it is given, by name. */
export const savedViews = ({ db }: Context, accountId: number, feedCode?: string): Promise<SavedView[]> =>
  db.prisma.savedView.findMany({
    where: { accountId, ...(feedCode !== undefined && { feedCode }) },
    select: { id: true, feedCode: true, name: true, search: true, savedAt: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });

/** Saves a view, or replaces the one of its feed and name. False: nothing was saved, because the account has as many as it may. */
export const saveView = (
  { db, clock }: Context,
  accountId: number,
  view: Pick<SavedView, "feedCode" | "name" | "search">,
): Promise<boolean> =>
  db.transaction(async (client) => {
    await lockAccount(client, accountId);
    const saved = await sql.saveView(client, { accountId, ...view, now: clock.now(), most: MOST_VIEWS });
    return saved !== undefined;
  });

/** Deletes a view of the account; does nothing when it has none of this id. */
export async function deleteView({ db }: Context, accountId: number, id: number): Promise<void> {
  await db.prisma.savedView.deleteMany({ where: { id, accountId } });
}
