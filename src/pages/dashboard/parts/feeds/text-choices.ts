// A filter by whole texts, such as insurers: the most frequent ones to tick, and a field for others.
import { MOST_PARTS, textKey } from "../../../../feeds/records/selection.ts";
import type { TextCount } from "../../../../feeds/records/text-counts.ts";
import { shownCount } from "../../../../platform/plural.ts";

const MOST_TICKS = 20;
const MOST_SUGGESTED = 200;

export interface TextChoices {
  /** The most frequent texts and those asked for. */
  choices: (readonly [text: string, shown: string])[];
  /** Texts that are asked for. */
  ticked: string[];
  /** Parts of what is asked for that are no text of the feed. */
  unknown: string[];
  /** Other texts to type. */
  suggested: string[];
}

/** What can be chosen, given what is asked for: texts separated by commas, which may have commas themselves. */
export function textChoices(value: string, counts: readonly TextCount[]): TextChoices {
  const { ticked, unknown } = textsIn(value, counts);
  const first = counts.slice(0, MOST_TICKS);
  const others = counts.slice(MOST_TICKS).filter(({ text }) => ticked.includes(text));
  return {
    choices: [...first, ...others].map(({ text, rows }) => [text, `${text} (${shownCount(rows)})`]),
    ticked,
    unknown,
    suggested: counts.slice(MOST_TICKS, MOST_TICKS + MOST_SUGGESTED).map(({ text }) => text),
  };
}

function textsIn(value: string, counts: readonly TextCount[]): Pick<TextChoices, "ticked" | "unknown"> {
  const [ticked, unknown]: [string[], string[]] = [[], []];
  if (value === "") return { ticked, unknown };
  const byKey = new Map(counts.map(({ text }) => [textKey(text), text]));
  const parts = value.split(",").map((part) => part.trim());
  for (let at = 0; at < parts.length; ) {
    const lengths = Array.from({ length: MOST_PARTS }, (_, index) => MOST_PARTS - index);
    const keyOf = (length: number) => textKey(parts.slice(at, at + length).join(","));
    const length = lengths.find((each) => at + each <= parts.length && byKey.has(keyOf(each))) ?? 1;
    const text = byKey.get(keyOf(length));
    if (text === undefined) unknown.push(parts[at] ?? "");
    else ticked.push(text);
    at += length;
  }
  return { ticked, unknown };
}
