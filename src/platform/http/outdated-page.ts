/** A page shows a state that has changed since, so that its form is refused. The message says what changed. */
export class OutdatedPageError extends Error {
  override readonly name = "OutdatedPageError";
}

/**
 * Refuses a rotation whose page did not show that a replaced secret still works, because the rotation would end that secret.
 * Both parameters are the time until which it works. A program shows nothing and is not refused. OutdatedPageError.
 */
export function requireShownPrevious(until: string | null, shown: string | null | undefined): void {
  if (shown === undefined || until === null || until === shown) return;
  throw new OutdatedPageError(
    "The secret was rotated since this page was loaded, so nothing was changed now. The secret that it replaced still works. If nobody has the new one, open the page again and rotate: the replaced secret will then end at once.",
  );
}
