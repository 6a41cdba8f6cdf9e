// Test mode: customers try everything with test keys over a small made-up registry that is the same in every installation.
// Its world is a database of its own, read and written by the same code through a second context, so neither kind of key ever
// reaches the data of the other. It owns no table. Nothing is opened, made or asked for until the first test key is made.
import type { Context } from "../platform/context.ts";
import { perDatabase } from "../platform/database/per-database.ts";
import { hasTestMode, markTestMode } from "../platform/installation/installation.ts";
import { openTestMode } from "../platform/opening/open-test-mode.ts";

interface State {
  /** Null while the process does not use test mode. */
  opening: Promise<Context> | null;
  isClosed: boolean;
}

const stateOf = perDatabase((db): State => {
  const state: State = { opening: null, isClosed: false };
  db.onClose(async () => {
    state.isClosed = true;
    const test = await state.opening?.catch(() => null);
    await test?.db.close();
  });
  return state;
});

/** The context of test mode, or null while the installation has never had a test key. */
export async function findTestMode(live: Context): Promise<Context | null> {
  const { opening } = stateOf(live.db);
  if (opening !== null) return opening;
  return (await hasTestMode(live)) ? openOnce(live) : null;
}

/** The context of test mode, which begins with this call if the installation had none. OperatorError when it can't. */
export async function beginTestMode(live: Context): Promise<Context> {
  const test = await openOnce(live);
  await markTestMode(live);
  return test;
}

/** Opens it once in a process; after a failure the next call tries again. */
function openOnce(live: Context): Promise<Context> {
  const state = stateOf(live.db);
  if (state.isClosed) throw new Error("The database is closed");
  const opening = state.opening ?? open(live);
  state.opening = opening;
  opening.catch(() => {
    if (state.opening === opening) state.opening = null;
  });
  return opening;
}

async function open(live: Context): Promise<Context> {
  // Loaded when it is needed: it needs the importer, and most processes never fill anything.
  const { fillTestMode, hasOtherRegistry } = await import("./fill.ts");
  const test = await openTestMode(live, hasOtherRegistry);
  try {
    await fillTestMode(test);
    return test;
  } catch (error) {
    await test.db.close();
    throw error;
  }
}
