import { it } from "vitest";
import { expectAgreement } from "./agreement.ts";

// The long form of recount.test.ts. RECOUNT_CARRIERS sets the size of each registry.
const carriers = Number(process.env.RECOUNT_CARRIERS ?? 20_000);

// The flags of the legacy registry end in June 2026.
it.each([
  { seed: 1, firstDay: "2026-10-22", asDifferences: false },
  { seed: 2, firstDay: "2026-06-05", asDifferences: false },
  { seed: 3, firstDay: "2026-10-22", asDifferences: false },
  { seed: 4, firstDay: "2026-06-05", asDifferences: false },
  { seed: 5, firstDay: "2026-10-22", asDifferences: false },
  { seed: 6, firstDay: "2026-06-05", asDifferences: true },
  { seed: 7, firstDay: "2026-10-22", asDifferences: true },
  { seed: 8, firstDay: "2026-06-05", asDifferences: true },
  { seed: 9, firstDay: "2026-10-22", asDifferences: true },
  { seed: 10, firstDay: "2026-10-22", asDifferences: true },
])(
  "an independent recount agrees row for row from $firstDay on (seed $seed, differences: $asDifferences)",
  (story) => expectAgreement({ ...story, carriers, days: 30 }),
);
