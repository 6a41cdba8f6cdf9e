import { it } from "vitest";
import { expectAgreement } from "./agreement.ts";

// The long form of recount.test.ts.
it.each([
  { seed: 11, carriers: 20_000, firstDay: "2026-10-22", days: 30 },
  { seed: 12, carriers: 20_000, firstDay: "2026-06-05", days: 30 },
  { seed: 13, carriers: 20_000, firstDay: "2026-10-22", days: 30, asDifferences: true },
])("an independent recount agrees row for row from $firstDay on (seed $seed)", expectAgreement);
