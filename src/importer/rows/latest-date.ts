const YEARS_AHEAD = 2;

/** The last day a row may be dated; later ones have a mistyped year (2517 was seen). */
export const latestDate = (today: string): string =>
  `${Number(today.slice(0, 4)) + YEARS_AHEAD}${today.slice(4)}`;
