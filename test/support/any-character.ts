import fc from "fast-check";

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/**
 * A character of Unicode, as the unit of `fc.string`. It gives what `unit: "binary"` gives: that one spends seconds on a
 * list of all 1.1 million before its first text.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .filter((code) => !isSurrogate(code))
  .map(
    (code) => String.fromCodePoint(code),
    (character) => {
      const code = typeof character === "string" ? character.codePointAt(0) : undefined;
      if (code === undefined || String.fromCodePoint(code) !== character)
        throw new Error("Not one character.");
      return code;
    },
  );
