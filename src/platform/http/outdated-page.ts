/** A page shows a state that has changed since, so that its form is refused. The message says what changed. */
export class OutdatedPageError extends Error {
  override readonly name = "OutdatedPageError";
}

/** A secret before it is rotated. */
export interface RotatedSecret {
  /** Tells the secret from the one before it and from the next. */
  mark: string;
  /** Until when the secret that it replaced works; null: no more. */
  previousUntil: string | null;
}

/**
 * Refuses a rotation whose page showed the mark of another secret, because the rotation would end one that the page did not
 * know of. A page of an earlier release has no mark (null), and is refused while a replaced secret works. A program shows
 * nothing and is not refused. OutdatedPageError.
 */
export function requireShownSecret(
  { mark, previousUntil }: RotatedSecret,
  shownMark: string | null | undefined,
): void {
  if (shownMark === undefined || shownMark === mark) return;
  if (shownMark === null && previousUntil === null) return;
  throw new OutdatedPageError(
    `The secret was rotated since this page was loaded, so nothing was changed now. ${
      previousUntil === null
        ? "If nobody has the new one, open the page again and rotate."
        : "The secret that it replaced still works. If nobody has the new one, open the page again and rotate: the replaced secret will then end at once."
    }`,
  );
}
