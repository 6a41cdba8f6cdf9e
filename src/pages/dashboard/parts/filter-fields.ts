import type { FilterName } from "../../../feeds/catalogue.ts";
import { type Html, html } from "../../frame/html.ts";

/** A filter's field in a form: its name and what can be entered. */
type Field =
  | { name: string; kind: "text"; placeholder: string }
  | { name: string; kind: "number" }
  | { name: string; kind: "date" }
  | { name: string; kind: "choice"; choices: readonly (readonly [value: string, shown: string])[] };

const YES_NO = [
  ["true", "yes"],
  ["false", "no"],
] as const;

const FIELDS: Record<FilterName | "since", Field> = {
  state: { name: "States", kind: "text", placeholder: "TX, CA" },
  trucks_min: { name: "Trucks, at least", kind: "number" },
  trucks_max: { name: "Trucks, at most", kind: "number" },
  granted_since: { name: "Authority granted since", kind: "date" },
  min_days_in_business: { name: "Days in business, at least", kind: "number" },
  max_days_in_business: { name: "Days in business, at most", kind: "number" },
  general_freight: { name: "General freight", kind: "choice", choices: YES_NO },
  has_cell: { name: "Cell phone on file", kind: "choice", choices: YES_NO },
  time_zone: {
    name: "Time zone",
    kind: "choice",
    choices: ["Eastern", "Central", "Mountain", "Pacific", "Alaska", "Hawaii"].map((zone) => [zone, zone]),
  },
  phone_type: {
    name: "Phone type",
    kind: "choice",
    choices: [
      ["mobile", "certainly mobile"],
      ["landline", "certainly landline"],
      ["either", "could be either"],
    ],
  },
  entity_type: {
    name: "Kind of business",
    kind: "choice",
    choices: [
      ["broker", "broker"],
      ["freight_forwarder", "freight forwarder"],
    ],
  },
  since: { name: "Granted or verified since", kind: "date" },
};

/** The field of a filter with its current value. */
export function filterField(filter: FilterName | "since", value: string): Html {
  const field = FIELDS[filter];
  return html`<div class="field"><label for="${filter}">${field.name}</label>
${inputOf(filter, field, value)}</div>
`;
}

function inputOf(filter: string, field: Field, value: string): Html {
  switch (field.kind) {
    case "text":
      return html`<input id="${filter}" name="${filter}" value="${value}" placeholder="${field.placeholder}" maxlength="400">`;
    case "number":
      return html`<input id="${filter}" name="${filter}" value="${value}" inputmode="numeric" maxlength="10">`;
    case "date":
      return html`<input id="${filter}" name="${filter}" value="${value}" type="date">`;
    case "choice":
      return html`<select id="${filter}" name="${filter}"><option value="">any</option>${field.choices.map(
        ([word, shown]) =>
          html`<option value="${word}"${word === value && html` selected`}>${shown}</option>`,
      )}</select>`;
  }
}
