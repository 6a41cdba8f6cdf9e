import { expect, it } from "vitest";
import { isPlainText } from "../../../src/platform/plain-text.ts";

it.each([
  ["a name", "Ada Freight", true],
  ["nothing", "", true],
  ["a joiner within a name", "क्‍ष Transport", true],
  ["a line break", "Ada\nFreight", false],
  ["a NUL", "Ada\0", false],
  ["a mark that turns the direction", "a\u202eb", false],
  ["a character of no width alone", "\u200b", false],
  ["several of them with blanks between", " \u2060 \u00ad\u200d", false],
])("a plain text: %s", (_name, text, isPlain) => {
  expect(isPlainText(text)).toBe(isPlain);
});
