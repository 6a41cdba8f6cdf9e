import { countOf } from "../../platform/plural.ts";

/** How a merged removal list changed the number of removed businesses, as the end of a sentence. */
export const changeOfRemoved = (businesses: number): string =>
  businesses < 0
    ? `${countOf(-businesses, "business", "businesses")} may be shown again.`
    : `${countOf(businesses, "more business is", "more businesses are")} removed.`;
