// Businesses whose names are like a name, best first.
import * as sql from "../generated/sql/carriers.ts";
import type { Context, Database } from "../platform/context.ts";
import { InvalidRequestError } from "../platform/http/invalid-request.ts";
import { ProblemError } from "../platform/http/problem.ts";

/** How a name is like the one that was asked for. */
export interface Likeness {
  usdot: number;
  /** `exact`: it has the same words, besides the kind of company; `prefix`: it begins like it. */
  match: "exact" | "prefix" | "similar";
  /** The share of three-letter parts that both have, from 0 to 1. */
  score: number;
}

/** Names as written that are ranked at most, which takes some milliseconds. Few words are in so many names. */
const MOST_AS_WRITTEN = 2_000;
/** Names with other words, of each way to look for them. */
const MOST_NAMES = 200;
/** More than any name that people type. */
const MOST_WORDS = 8;
/** A shorter word is like too many others. */
const SHORTEST_MISSPELLED = 4;

/** Words that say what kind of company it is. People leave them out. */
const KINDS = "LLC INC INCORPORATED CORP CORPORATION CO COMPANY LTD LIMITED LP LLP PLLC THE AND OF DBA".split(
  " ",
);

/** Businesses that were looked for, best first. `isCut`: there may be more, none of which has the same words. */
export interface Likely {
  likely: Likeness[];
  isCut: boolean;
}

/**
 * Businesses with a name like this one, in these states (null: in any), each once. They may be in none of the caller's
 * feeds. First those whose names begin like it or have its words. Who sees none of them asks on: for names with one word
 * spelled otherwise, and then for those that lack one. InvalidRequestError for a name of less than 3 letters and digits;
 * ProblemError unavailable while the names are not there yet.
 */
export async function* findNames(
  { db }: Context,
  { name, states }: { name: string; states: readonly string[] | null },
): AsyncGenerator<Likely> {
  const rows = await sql.namesLike(db.pool, { name, kinds: KINDS, states, most: MOST_AS_WRITTEN });
  const [{ asked: key, isIndexed }] = rows as [sql.NamesLikeRow];
  if (key.replaceAll(" ", "").length < SHORTEST_NAME) throw new InvalidRequestError([TOO_SHORT]);
  if (!isIndexed) throw new ProblemError("unavailable", NOT_INDEXED, { retryAfterSeconds: 60 });
  const asWritten = rows.flatMap((row) =>
    row.usdot === null ? [] : { usdot: row.usdot, key: row.key ?? "" },
  );
  if (asWritten.length >= MOST_AS_WRITTEN) {
    const exact = { keys: keysOfSameWords(key), states, most: MOST_AS_WRITTEN };
    yield { likely: ranked(key, [...(await sql.namesWithKeys(db.pool, exact)), ...asWritten]), isCut: true };
    return;
  }
  yield { likely: ranked(key, asWritten), isCut: false };
  for await (const found of namesOfOtherWords(db, telling(key).slice(0, MOST_WORDS), states)) {
    yield { likely: ranked(key, found), isCut: found.length >= MOST_NAMES };
  }
}

/** Keys of names that have the words of this one: with each kind of company, and with THE before it. */
function keysOfSameWords(key: string): string[] {
  const words = telling(key).join(" ");
  return [words, `THE ${words}`].flatMap((named) => [named, ...KINDS.map((kind) => `${named} ${kind}`)]);
}

/** Names with one of the words spelled otherwise, then those that lack one of several words. */
async function* namesOfOtherWords(
  db: Database,
  words: readonly string[],
  states: readonly string[] | null,
): AsyncGenerator<Name[]> {
  const inState = states?.length === 1 ? [`@${states[0]}`] : [];
  const others = words.map((_, index) => [...words.toSpliced(index, 1), ...inState]);
  yield await withSpellings(db, words, { others, states });
  if (words.length === 1) return;
  const lists = JSON.stringify(others.map((list) => ({ words: list })));
  yield await sql.namesWithWords(db.pool, { lists, states, most: MOST_NAMES });
}

interface Name {
  usdot: number;
  key: string;
}

/** Names with one of the words spelled otherwise, and the others of that word. */
async function withSpellings(
  { pool }: Database,
  words: readonly string[],
  { others, states }: { others: readonly string[][]; states: readonly string[] | null },
): Promise<Name[]> {
  const lists = words.flatMap((word, index) =>
    word.length < SHORTEST_MISSPELLED ? [] : [{ words: others[index], spellings: spellingsOf(word) }],
  );
  return sql.namesWithSpellings(pool, { lists: JSON.stringify(lists), states, most: MOST_NAMES });
}

/** Letters and digits that a name must have. */
const SHORTEST_NAME = 3;
const TOO_SHORT = {
  loc: ["query", "name"],
  msg: `must have at least ${SHORTEST_NAME} letters or digits`,
  type: "minLength",
};
const NOT_INDEXED = "The names of carriers are being prepared for the first time. Try again in a minute.";

/** The words of a key without those of the kind of company; all of them if it has no others. */
function telling(key: string): string[] {
  const words = [...new Set(key.split(" "))];
  const named = words.filter((word) => !KINDS.includes(word));
  return named.length === 0 ? words : named;
}

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];

/** The word with one letter more, less or another, or with two neighbours exchanged. Few of them are there twice. */
function spellingsOf(word: string): string[] {
  const spellings: string[] = [];
  for (let at = 0; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    spellings.push(head + tail.slice(1), head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
    for (const letter of LETTERS) {
      if (letter !== tail[0]) spellings.push(head + letter + tail, head + letter + tail.slice(1));
    }
  }
  return spellings;
}

function ranked(key: string, found: readonly Name[]): Likeness[] {
  const [words, parts] = [telling(key).join(" "), partsOf(key)];
  const best = new Map<number, Likeness>();
  for (const { usdot, key: other } of found) {
    const match = telling(other).join(" ") === words ? "exact" : other.startsWith(key) ? "prefix" : "similar";
    const likeness: Likeness = { usdot, match, score: shareOf(parts, partsOf(other)) };
    const known = best.get(usdot);
    if (known === undefined || byLikeness(likeness, known) < 0) best.set(usdot, likeness);
  }
  return [...best.values()].sort(byLikeness);
}

const MATCHES = ["exact", "prefix", "similar"];

const byLikeness = (a: Likeness, b: Likeness): number =>
  MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match) || b.score - a.score || a.usdot - b.usdot;

/**
 * The parts of three letters of a key, as pg_trgm takes them: each word with two blanks before it and one after. A part is a number
 * with 7 bits a letter: sets of numbers are made several times faster than sets of texts.
 */
function partsOf(key: string): ReadonlySet<number> {
  const parts = new Set<number>();
  for (const word of key.split(" ")) {
    let part = TWO_BLANKS;
    for (let at = 0; at <= word.length; at++) {
      const letter = at < word.length ? word.charCodeAt(at) : BLANK;
      part = ((part << 7) | letter) & THREE_LETTERS;
      parts.add(part);
    }
  }
  return parts;
}

const BLANK = 0x20;
const TWO_BLANKS = (BLANK << 7) | BLANK;
const THREE_LETTERS = 2 ** 21 - 1;

function shareOf(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let both = 0;
  for (const part of b) if (a.has(part)) both += 1;
  return Math.round((100 * both) / (a.size + b.size - both)) / 100;
}
