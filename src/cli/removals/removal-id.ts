import { OperatorError } from "../../platform/operator-error.ts";

/** Numbers of removal requests as they were typed, each once. */
export const requestIdsFrom = (words: readonly string[]): number[] => [
  ...new Set(
    words.map((word) => {
      if (/^[1-9]\d{0,14}$/.test(word)) return Number(word);
      throw new OperatorError(
        `A removal request is named by its number, not "${word}"; "removal list" shows them.`,
      );
    }),
  ),
];
