import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether the long forms run (`npm run test:soak`). */
    isSoak: boolean;
  }
}

/** The cases of a test: the first `count` of them, and all of them in the long form. */
export const shortFormOf = <Case>(cases: readonly Case[], count = 1): readonly Case[] =>
  inject("isSoak") ? cases : cases.slice(0, count);
