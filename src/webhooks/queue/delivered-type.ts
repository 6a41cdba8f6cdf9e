import type { components } from "../../generated/types.ts";

/** What a delivery tells: an event of a type, or a change of a watched carrier. */
export type DeliveredType = components["schemas"]["DeliveredType"];
