import { it } from "vitest";
import { expectAgreement } from "./agreement.ts";

// The flags of the legacy registry end on 2026-06-20, a day within the second run.
it.each([
  { seed: 5, carriers: 1_500, firstDay: "2026-11-17", days: 3 },
  { seed: 2, carriers: 1_300, firstDay: "2026-06-19", days: 3, asDifferences: true },
  { seed: 7, carriers: 2_000, firstDay: "2026-11-17", days: 3, hasOddRows: true },
])(
  "an independent recount agrees row for row from $firstDay on (seed $seed)",
  { timeout: 240_000 },
  expectAgreement,
);
