import type { Card } from "../kit/card.ts";
import { shownCount } from "../kit/number.ts";
import type { Measured, PerformanceReport } from "./performance-report.ts";

interface Median {
  median: number;
}

interface Details {
  rows?: number;
  subject?: Median;
  filtered?: Median;
}

const perSecond = ({ subject }: Details): string | undefined =>
  subject && `${shownCount(Math.round(subject.median))} a second`;

/** What readers ask first: the measure that tells it, what to call it, and its value in the measure's details. */
const QUESTIONS: readonly [name: string, title: string, value: (details: Details) => string | undefined][] = [
  ["hot-page", "Pages", perSecond],
  ["filter-cold", "A new filter", ({ filtered }) => filtered && `${filtered.median.toFixed(1)} ms`],
  [
    "export-whole",
    "A whole feed",
    ({ rows = 0, subject }) =>
      subject && `${shownCount(rows)} rows in ${(subject.median / 1000).toFixed(2)} s`,
  ],
  ["dispatch", "Webhooks", perSecond],
];

/** How fast the service is, in a few cards. A measure that the run left out has none. */
export const headline = ({ measures }: PerformanceReport): Card[] =>
  QUESTIONS.flatMap(([name, title, value]) => {
    const measured = measures.find((each) => each.name === name);
    const shown = measured && value(measured.details as Details);
    return shown ? [{ title, value: shown, hint: measured.what }] : [];
  });

/** The measures, those that readers ask for first. */
export const byInterest = (measures: readonly Measured[]): Measured[] => {
  const asked = QUESTIONS.map(([name]) => name);
  const rank = ({ name }: Measured) => (asked.includes(name) ? asked.indexOf(name) : asked.length);
  return measures.toSorted((one, other) => rank(one) - rank(other));
};
