import type { Request } from "express";
import { filterMembers } from "../../../generated/webhook-members.ts";
import type { Fault } from "../../../platform/http/invalid-request.ts";
import { classInWords } from "../../../registry/authority-classes.ts";
import type { WebhookFilters } from "../../../webhooks/endpoints/filters.ts";
import { field, longField } from "../../kit/field.ts";
import { type Html, html } from "../../kit/html.ts";
import { shownCount } from "../../kit/number.ts";
import { fieldOf, fieldsOf } from "./form-fields.ts";

type GivenFilters = NonNullable<WebhookFilters>;

/** The typed values of the fields that limit an endpoint to some events. */
export interface TypedFilters {
  states: string;
  usdots: string;
  authorityTypes: readonly string[];
  trucksMin: string;
  trucksMax: string;
}

const STATES = { most: filterMembers.states.maxItems, form: new RegExp(filterMembers.states.items.pattern) };
const USDOTS = { most: filterMembers.usdots.maxItems, form: new RegExp(filterMembers.usdots.items.pattern) };
const AUTHORITY_TYPES = filterMembers.authority_types.items.enum;
const MOST_TRUCKS = filterMembers.trucks_max.maximum;

export const typedFilters = (request: Request): TypedFilters => ({
  states: fieldOf(request, "states"),
  usdots: fieldOf(request, "usdots"),
  authorityTypes: fieldsOf(request, "authority_types"),
  trucksMin: fieldOf(request, "trucks_min").trim(),
  trucksMax: fieldOf(request, "trucks_max").trim(),
});

/** An endpoint's filters as its form shows them. */
export const typedFromFilters = (filters: WebhookFilters | undefined): TypedFilters => ({
  states: filters?.states?.join(", ") ?? "",
  usdots: filters?.usdots?.join("\n") ?? "",
  authorityTypes: filters?.authority_types ?? [],
  trucksMin: String(filters?.trucks_min ?? ""),
  trucksMax: String(filters?.trucks_max ?? ""),
});

/** The typed filters in the contract's form, and what does not fit it. */
export function filtersIn(typed: TypedFilters): { filters: GivenFilters; faults: Fault[] } {
  const [states, usdots] = [wordsOf(typed.states), wordsOf(typed.usdots)];
  const trucks = [typed.trucksMin, typed.trucksMax];
  const types = AUTHORITY_TYPES.filter((each) => typed.authorityTypes.includes(each));
  const faults = [
    !states.every((code) => STATES.form.test(code)) && fault("states", "must be two-letter state codes"),
    states.length > STATES.most && fault("states", `must be at most ${STATES.most}`),
    !usdots.every((usdot) => USDOTS.form.test(usdot)) &&
      fault("USDOT numbers", "must have 1 to 8 digits each"),
    usdots.length > USDOTS.most && fault("USDOT numbers", `must be at most ${shownCount(USDOTS.most)}`),
    !trucks.every((count) => /^\d{0,10}$/.test(count) && Number(count) <= MOST_TRUCKS) &&
      fault("trucks", "must be whole numbers"),
    new Set(typed.authorityTypes).size > types.length && fault("authorities", "must be those of the form"),
  ].filter((each) => each !== false);
  const filters = {
    ...(states.length > 0 && { states }),
    ...(usdots.length > 0 && { usdots }),
    ...(types.length > 0 && { authority_types: types }),
    ...(typed.trucksMin !== "" && { trucks_min: Number(typed.trucksMin) }),
    ...(typed.trucksMax !== "" && { trucks_max: Number(typed.trucksMax) }),
  };
  return { filters, faults };
}

const wordsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== "");

const fault = (name: string, msg: string): Fault => ({ loc: ["body", name], msg, type: "form" });

/** The fields that limit an endpoint to some events, with the typed values. */
export const eventFilterFields = (typed: TypedFilters): Html => html`<fieldset>
<legend>Only some of these events</legend>
<p class="hint">Fill in what should limit the events. An event must fit every field; if a value is not known, it does not fit.</p>
${field({ name: "states", label: "States", value: typed.states, placeholder: "TX, OK", maxLength: 400, isCode: true })}
<div class="fields">
${field({ name: "trucks_min", label: "Trucks, at least", value: typed.trucksMin, isNumber: true, maxLength: 10 })}
${field({ name: "trucks_max", label: "Trucks, at most", value: typed.trucksMax, isNumber: true, maxLength: 10 })}
</div>
${longField({ name: "usdots", label: "USDOT numbers", value: typed.usdots, hint: `At most ${shownCount(USDOTS.most)}, with blanks, commas or line breaks between them.`, isCode: true })}
${AUTHORITY_TYPES.map(
  (each) =>
    html`<label class="check"><input type="checkbox" name="authority_types" value="${each}"${typed.authorityTypes.includes(each) && html` checked`}> Authority: ${classInWords(each)}</label>
`,
)}</fieldset>
`;

/** The filters of an endpoint in words. */
export function filtersInWords(filters: WebhookFilters | undefined): string {
  const { states, usdots, authority_types: types, trucks_min: least, trucks_max: most } = filters ?? {};
  const count = usdots?.length ?? 0;
  const words = [
    states && `in ${states.join(", ")}`,
    usdots && (count === 1 ? `of USDOT number ${usdots[0]}` : `of ${count} USDOT numbers`),
    types && `of authority as ${types.map(classInWords).join(", ")}`,
    least !== undefined && `of at least ${trucksInWords(least)}`,
    most !== undefined && `of at most ${trucksInWords(most)}`,
  ].filter((part) => typeof part === "string");
  return words.length === 0 ? "every event of its types" : `events ${words.join("; ")}`;
}

const trucksInWords = (count: number): string => `${count} ${count === 1 ? "truck" : "trucks"}`;
