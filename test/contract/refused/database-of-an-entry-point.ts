// refused: Property 'pool' does not exist on type 'never'
import type { EntryContext } from "../../../src/platform/context.ts";

export const countEvents = async (context: EntryContext) =>
  context.db.pool.query("SELECT count(*) FROM event");
