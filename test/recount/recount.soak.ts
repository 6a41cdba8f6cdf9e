import { it } from "vitest";
import { expectAgreement } from "./agreement.ts";

// The long form of recount.test.ts; the flags of the legacy registry end in June 2026.
it.each([
  { seed: 1, firstDay: "2026-10-22", asDifferences: false },
  { seed: 2, firstDay: "2026-06-05", asDifferences: false },
  { seed: 3, firstDay: "2026-10-22", asDifferences: false },
  { seed: 1, firstDay: "2026-06-05", asDifferences: true },
  { seed: 2, firstDay: "2026-10-22", asDifferences: true },
  { seed: 3, firstDay: "2026-10-22", asDifferences: true },
])(
  "an independent recount agrees row for row from $firstDay on (seed $seed, differences: $asDifferences)",
  (story) => expectAgreement({ ...story, carriers: 20_000, days: 30 }),
);
