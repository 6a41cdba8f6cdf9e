import { isMailAddress } from "../../platform/mail/address.ts";
import { isPlainText } from "../../platform/plain-text.ts";
import { countOf } from "../../platform/plural.ts";

/** What a stranger types. */
export interface AskedAccess {
  name: string;
  company: string;
  email: string;
  purpose: string;
}

/** The most characters of each text. */
export const MOST_CHARACTERS: Readonly<Record<keyof AskedAccess, number>> = {
  name: 100,
  company: 200,
  email: 254,
  purpose: 1_000,
};

/** What is wrong with a text, as a sentence. */
export interface AccessMistake {
  field: keyof AskedAccess;
  message: string;
}

/** The texts, trimmed, and what is wrong with them. */
export function readAskedAccess(typed: AskedAccess): { asked: AskedAccess; mistakes: AccessMistake[] } {
  const asked = {
    name: typed.name.trim(),
    company: typed.company.trim(),
    email: typed.email.trim(),
    purpose: typed.purpose.trim().replaceAll("\r\n", "\n"),
  };
  const mistakes = (Object.keys(MOST_CHARACTERS) as (keyof AskedAccess)[]).flatMap((field) => {
    const message = mistakeIn(field, asked[field]);
    return message === null ? [] : [{ field, message }];
  });
  return { asked, mistakes };
}

const MISSING: Readonly<Record<keyof AskedAccess, string>> = {
  name: "Write your name.",
  company: "Write the name of your company.",
  email: "Write your work e-mail address.",
  purpose: "Write what you want to do with the data.",
};

function mistakeIn(field: keyof AskedAccess, text: string): string | null {
  const most = MOST_CHARACTERS[field];
  if (text === "") return MISSING[field];
  if ([...text].length > most) return `It must have at most ${countOf(most, "character")}.`;
  if (field === "email") return isMailAddress(text) ? null : "It must look like name@company.com.";
  const lines = field === "purpose" ? text.split("\n") : [text];
  return lines.every(isPlainText) ? null : "It must not have control characters.";
}
