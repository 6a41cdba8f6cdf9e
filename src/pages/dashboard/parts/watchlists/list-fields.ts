import type { Request } from "express";
import { watchlistMembers } from "../../../../generated/webhook-members.ts";
import { InvalidRequestError } from "../../../../platform/http/invalid-request.ts";
import { field, type Mistake, wrongIn } from "../../../kit/field.ts";
import { type Html, html } from "../../../kit/html.ts";
import { fieldOf } from "../form-fields.ts";

/** The typed name and note of a watchlist. */
export interface TypedList {
  name: string;
  description: string;
}

const LABELS = { name: "Name", description: "Your own note" };
const NAMES = ["name", "description"] as const;

/** The name and note that a form sent. */
export const typedList = (request: Request): TypedList => ({
  name: fieldOf(request, "name").trim(),
  description: fieldOf(request, "description").trim(),
});

/**
 * Gives a typed list to `save`. Returns what is wrong with it, in the order of the form; an empty list when it was saved.
 * Throws an error that is not about the typed values.
 */
export async function savedList(
  typed: TypedList,
  save: (list: TypedList) => Promise<unknown>,
): Promise<Mistake[]> {
  const mistakes = NAMES.flatMap((name) => wrong(name, typed[name]));
  if (mistakes.length > 0) return mistakes;
  try {
    await save(typed);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return error.faults.map(({ loc, msg }) => {
      const name = NAMES.find((each) => each === loc.at(-1)) ?? "name";
      return { name, label: LABELS[name], message: `It ${msg}.` };
    });
  }
}

function wrong(name: keyof TypedList, value: string): Mistake[] {
  const most = watchlistMembers[name].maxLength;
  const say = (message: string) => [{ name, label: LABELS[name], message }];
  if (name === "name" && value === "") return say("Write a name.");
  return [...value].length > most ? say(`Write at most ${most} characters.`) : [];
}

/** The fields of a watchlist with the typed values. */
export const listFields = (typed: TypedList, mistakes: readonly Mistake[]): Html =>
  html`${field({ name: "name", label: LABELS.name, value: typed.name, maxLength: watchlistMembers.name.maxLength, placeholder: "Insured carriers", isRequired: true, ...wrongIn(mistakes, "name") })}
${field({ name: "description", label: LABELS.description, value: typed.description, maxLength: watchlistMembers.description.maxLength, ...wrongIn(mistakes, "description") })}`;
