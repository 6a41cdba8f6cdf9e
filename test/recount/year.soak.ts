import { it } from "vitest";
import { expectAgreement } from "./agreement.ts";

// RECOUNT_YEAR_CARRIERS sets the size of the registry.
const carriers = Number(process.env.RECOUNT_YEAR_CARRIERS ?? 1_200);

it("in a year of days no import is refused, and an independent recount agrees row for row", () =>
  expectAgreement({ seed: 11, carriers, firstDay: "2026-06-05", days: 365 }));
