import { type Html, html } from "./html.ts";

export interface Field {
  /** The name under which the value is sent. It is also the id of the element. */
  name: string;
  label: string;
  value?: string;
  hint?: Html | string;
  /** What is wrong with the value that was sent. */
  error?: string | undefined;
  type?: "text" | "email" | "url" | "date" | "datetime-local" | "search" | "file";
  maxLength?: number;
  placeholder?: string;
  isRequired?: boolean;
  isNumber?: boolean;
  /** The keyboard that a phone shows. */
  inputMode?: "numeric" | "tel" | "email";
  /** No word of a language: browsers neither capitalise it nor check its spelling. */
  isCode?: boolean;
  autocomplete?: string;
  hasFocus?: boolean;
}

/** A field of a form with its label, its hint and its error. */
export const field = (asked: Field): Html =>
  labelled(
    asked,
    html`<input id="${asked.name}" name="${asked.name}" type="${asked.type ?? "text"}" value="${asked.value ?? ""}"${attributes(asked)}>`,
  );

/** A field for several lines. */
export const longField = (asked: Omit<Field, "type" | "isNumber">): Html =>
  // Browsers drop a line break right after the tag. The template adds one, so that a typed one stays.
  labelled(
    asked,
    html`<textarea id="${asked.name}" name="${asked.name}" rows="4"${attributes(asked)}>
${asked.value ?? ""}</textarea>`,
  );

const labelled = ({ name, label, hint, error }: Field, input: Html): Html => html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${input}
${error && html`<p class="error" id="${name}-error">${error}</p>`}
</div>
`;

const attributes = (asked: Field): Html[] =>
  [
    asked.maxLength !== undefined && html` maxlength="${asked.maxLength}"`,
    asked.placeholder !== undefined && html` placeholder="${asked.placeholder}"`,
    asked.isRequired && html` required`,
    asked.isNumber && html` inputmode="numeric"`,
    asked.inputMode !== undefined && html` inputmode="${asked.inputMode}"`,
    asked.isCode && html` autocapitalize="off" spellcheck="false"`,
    asked.autocomplete !== undefined && html` autocomplete="${asked.autocomplete}"`,
    asked.hasFocus && html` autofocus`,
    asked.error && html` aria-invalid="true"`,
    described(asked),
  ].filter((part) => part !== false && part !== undefined && part !== "") as Html[];

function described({ name, hint, error }: Field): Html | false {
  const ids = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean);
  return ids.length > 0 && html` aria-describedby="${ids.join(" ")}"`;
}

/** A list to choose one value from. */
export const choice = ({
  choices,
  ...asked
}: Pick<Field, "name" | "label" | "value" | "error" | "hasFocus"> & {
  choices: readonly (readonly [value: string, shown: string])[];
}): Html =>
  labelled(
    asked,
    html`<select id="${asked.name}" name="${asked.name}"${attributes(asked)}>${choices.map(
      ([each, shown]) =>
        html`<option value="${each}"${each === asked.value && html` selected`}>${shown}</option>`,
    )}</select>`,
  );

/** Boxes to tick, of one name. The first has the name as its id. */
export const checks = ({
  choices,
  values,
  areCodes,
  ...asked
}: Pick<Field, "name" | "label" | "error" | "hasFocus"> & {
  choices: readonly (readonly [value: string, shown: Html | string])[];
  values: readonly string[];
  /** Each choice is a few letters. */
  areCodes?: boolean;
}): Html => html`<fieldset class="field${areCodes && " codes"}">
<legend>${asked.label}</legend>
${asked.error && html`<p class="error" id="${asked.name}-error">${asked.error}</p>`}
${choices.map(
  ([each, shown], index) =>
    html`<label class="check"><input type="checkbox" name="${asked.name}" value="${each}"${values.includes(each) && html` checked`}${index === 0 && html` id="${asked.name}"${attributes(asked)}`}> <span>${shown}</span></label>
`,
)}</fieldset>
`;

/** A field below boxes, for values that no box has. */
export interface OtherValues extends Pick<Field, "label" | "hint" | "value"> {
  suggested: readonly string[];
}

/** Boxes to tick of a long list, folded: the line above them tells which are ticked. */
export const pickList = ({
  other,
  ...asked
}: Parameters<typeof checks>[0] & { other?: OtherValues }): Html => {
  const ticked = asked.choices.filter(([each]) => asked.values.includes(each)).map(([, shown]) => shown);
  const chosen = [...ticked, ...(other?.value ? [other.value] : [])];
  return html`<details class="pick"${asked.error && html` open`}>
<summary>${asked.label}: ${chosen.length === 0 ? "any" : chosen.join(", ")}</summary>
${checks(asked)}${other && otherField(asked.name, other)}</details>
`;
};

function otherField(name: string, { suggested, ...asked }: OtherValues): Html {
  const id = `${name}-other`;
  return labelled(
    { ...asked, name: id },
    html`<input id="${id}" name="${name}" value="${asked.value ?? ""}" maxlength="400" list="${id}-list"${described({ ...asked, name: id })}>
<datalist id="${id}-list">${suggested.map((each) => html`<option value="${each}"></option>`)}</datalist>`,
  );
}

/** What is wrong with a field of a form that was sent. */
export interface Mistake {
  name: string;
  label: string;
  /** A sentence that reads well after the label and at the field. */
  message: string;
}

/** All that is wrong with a field. The first wrong field of a form has the focus. */
export const wrongIn = (mistakes: readonly Mistake[], name: string): Pick<Field, "error" | "hasFocus"> => ({
  error:
    mistakes
      .filter((each) => each.name === name)
      .map(({ message }) => message)
      .join(" ") || undefined,
  hasFocus: mistakes[0]?.name === name,
});

/** The alert above a form with mistakes: what was not done, and a link to each wrong field. */
export const mistakeList = (notDone: string, mistakes: readonly Mistake[]): Html | false =>
  mistakes.length > 0 &&
  html`<div class="notice bad" role="alert"><p><strong>${notDone}</strong></p><ul>${mistakes.map(
    ({ name, label, message }) => html`<li><a href="#${name}">${label}: ${message}</a></li>`,
  )}</ul></div>
`;
