import type { Request } from "express";
import { filterMembers } from "../../../generated/webhook-members.ts";
import { nounFor, shownCount } from "../../../platform/plural.ts";
import { classInWords } from "../../../registry/authority-classes.ts";
import { STATE_CODES } from "../../../registry/places/state-codes.ts";
import type { WatchlistOut } from "../../../watchlists/watchlists.ts";
import type { WebhookFilters } from "../../../webhooks/endpoints/filters.ts";
import { checks, field, longField, type Mistake, wrongIn } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { fieldOf, fieldsOf, NOT_IN_LIST } from "./form-fields.ts";

type GivenFilters = NonNullable<WebhookFilters>;

/** A watchlist to choose. */
export type ListShown = Pick<WatchlistOut, "id" | "name">;

/** The typed values of the fields that limit an endpoint to some events. */
export interface TypedFilters {
  states: string;
  usdots: string;
  authorityTypes: readonly string[];
  trucksMin: string;
  trucksMax: string;
  watchlists: readonly string[];
}

const STATES = { most: filterMembers.states.maxItems };
const USDOTS = { most: filterMembers.usdots.maxItems, form: new RegExp(filterMembers.usdots.items.pattern) };
const AUTHORITY_TYPES = filterMembers.authority_types.items.enum;
const MOST_TRUCKS = filterMembers.trucks_max.maximum;
const MOST_LISTS = filterMembers.watchlist_ids.maxItems;
const LIST_ID = /^[1-9]\d{0,14}$/;

export const typedFilters = (request: Request): TypedFilters => ({
  states: fieldOf(request, "states"),
  usdots: fieldOf(request, "usdots"),
  authorityTypes: fieldsOf(request, "authority_types"),
  trucksMin: fieldOf(request, "trucks_min").trim(),
  trucksMax: fieldOf(request, "trucks_max").trim(),
  watchlists: fieldsOf(request, "watchlist_ids"),
});

/** An endpoint's filters as its form shows them. */
export const typedFromFilters = (filters: WebhookFilters | undefined): TypedFilters => ({
  states: filters?.states?.join(", ") ?? "",
  usdots: filters?.usdots?.join("\n") ?? "",
  authorityTypes: filters?.authority_types ?? [],
  trucksMin: String(filters?.trucks_min ?? ""),
  trucksMax: String(filters?.trucks_max ?? ""),
  watchlists: filters?.watchlist_ids?.map(String) ?? [],
});

const LABELS = {
  states: "States",
  trucks_min: "Trucks, at least",
  trucks_max: "Trucks, at most",
  usdots: "USDOT numbers",
  authority_types: "Authorities",
  watchlist_ids: "Watchlists",
};

/** The label of a filter, by its name in the contract. */
export const filterLabel = (name: string): string | undefined => LABELS[name as keyof typeof LABELS];

const wrong = (name: keyof typeof LABELS, message: string): Mistake => ({
  name,
  label: LABELS[name],
  message,
});

const wrongTrucks = (name: "trucks_min" | "trucks_max", typed: string): Mistake | false =>
  !(/^\d{0,10}$/.test(typed) && Number(typed) <= MOST_TRUCKS) &&
  wrong(name, `Write a whole number from 0 to ${shownCount(MOST_TRUCKS)}.`);

/** The typed filters in the contract's form, and what is wrong with them. */
export function filtersIn(typed: TypedFilters): { filters: GivenFilters; mistakes: Mistake[] } {
  const states = wordsOf(typed.states).map((code) => code.toUpperCase());
  const usdots = wordsOf(typed.usdots);
  const types = AUTHORITY_TYPES.filter((each) => typed.authorityTypes.includes(each));
  const unknown = states.find((code) => !STATE_CODES.includes(code));
  const mistakes = [
    unknown !== undefined &&
      wrong("states", `“${unknown.slice(0, 64)}” is not a US state. Write two-letter codes like TX, OK.`),
    states.length > STATES.most && wrong("states", `Write at most ${STATES.most}.`),
    wrongTrucks("trucks_min", typed.trucksMin),
    wrongTrucks("trucks_max", typed.trucksMax),
    typed.trucksMin !== "" &&
      typed.trucksMax !== "" &&
      Number(typed.trucksMax) < Number(typed.trucksMin) &&
      wrong("trucks_max", `It must not be below “${LABELS.trucks_min}”.`),
    !usdots.every((usdot) => USDOTS.form.test(usdot)) && wrong("usdots", "Write 1 to 8 digits for each."),
    usdots.length > USDOTS.most && wrong("usdots", `Write at most ${shownCount(USDOTS.most)}.`),
    new Set(typed.authorityTypes).size > types.length && wrong("authority_types", NOT_IN_LIST),
    !typed.watchlists.every((id) => LIST_ID.test(id)) && wrong("watchlist_ids", NOT_IN_LIST),
    typed.watchlists.length > MOST_LISTS && wrong("watchlist_ids", `Choose at most ${MOST_LISTS}.`),
  ].filter((each) => each !== false);
  const filters = {
    ...(states.length > 0 && { states }),
    ...(usdots.length > 0 && { usdots }),
    ...(types.length > 0 && { authority_types: types }),
    ...(typed.trucksMin !== "" && { trucks_min: Number(typed.trucksMin) }),
    ...(typed.trucksMax !== "" && { trucks_max: Number(typed.trucksMax) }),
    ...(typed.watchlists.length > 0 && { watchlist_ids: typed.watchlists.map(Number) }),
  };
  return { filters, mistakes };
}

const wordsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== "");

/** The fields that limit an endpoint to some events, with the typed values. */
export function eventFilterFields(
  typed: TypedFilters,
  mistakes: readonly Mistake[],
  lists: readonly ListShown[],
): Html {
  const about = (name: keyof typeof LABELS) => ({ name, label: LABELS[name], ...wrongIn(mistakes, name) });
  const usdotHint = `At most ${shownCount(USDOTS.most)}, with blanks, commas or line breaks between them.`;
  const listChoices = choicesOfLists(typed.watchlists, lists);
  return html`<fieldset>
<legend>Which of these events</legend>
<p class="hint">Leave all fields empty to get every event. An event must match each field that you fill in; where the registry does not say, it does not match.</p>
${field({ ...about("states"), value: typed.states, placeholder: "TX, OK", maxLength: 400, isCode: true })}
<div class="fields">
${field({ ...about("trucks_min"), value: typed.trucksMin, isNumber: true, maxLength: 10 })}
${field({ ...about("trucks_max"), value: typed.trucksMax, isNumber: true, maxLength: 10 })}
</div>
${longField({ ...about("usdots"), value: typed.usdots, hint: usdotHint, isCode: true })}
${checks({ ...about("authority_types"), values: typed.authorityTypes, choices: AUTHORITY_TYPES.map((each) => [each, classInWords(each)]) })}
${listChoices.length > 0 && checks({ ...about("watchlist_ids"), values: typed.watchlists, choices: listChoices })}</fieldset>
`;
}

/** The account's lists, and those chosen before that are deleted since: without them, every carrier would fit. */
function choicesOfLists(
  chosen: readonly string[],
  lists: readonly ListShown[],
): (readonly [id: string, name: string])[] {
  const deleted = chosen.filter((id) => !lists.some((list) => String(list.id) === id));
  return [
    ...lists.map(({ id, name }) => [String(id), name] as const),
    ...deleted.map((id) => [id, deletedList(id)] as const),
  ];
}

const deletedList = (id: number | string): string => `the deleted watchlist ${id}`;

/** The filters of an endpoint in words, with the names of the account's lists. */
export function filtersInWords(filters: WebhookFilters | undefined, lists: readonly ListShown[]): string {
  const { states, usdots, authority_types: types, trucks_min: least, trucks_max: most } = filters ?? {};
  const listNames = filters?.watchlist_ids?.map(
    (id) => lists.find((list) => list.id === id)?.name ?? deletedList(id),
  );
  const count = usdots?.length ?? 0;
  const words = [
    states && `in ${states.join(", ")}`,
    usdots && (count === 1 ? `of USDOT number ${usdots[0]}` : `of ${count} USDOT numbers`),
    listNames &&
      `of carriers on ${nounFor(listNames.length, "the watchlist", "the watchlists")} ${listNames.join(", ")}`,
    types && `of authority as ${types.map(classInWords).join(", ")}`,
    least !== undefined && `of at least ${trucksInWords(least)}`,
    most !== undefined && `of at most ${trucksInWords(most)}`,
  ].filter((part) => typeof part === "string");
  return words.length === 0 ? "every event of its types" : `events ${words.join("; ")}`;
}

const trucksInWords = (count: number): string => `${count} ${nounFor(count, "truck")}`;
