import type { Bench } from "./bench.ts";
import type { Measured } from "./report.ts";

/** One line of the table. */
export interface Measure extends Pick<Measured, "name" | "what" | "against" | "target" | "unit"> {
  run(bench: Bench): Promise<Finding>;
}

/** The result of a measure, in its unit. */
export type Finding = Pick<Measured, "details"> & { value: number };

/** Runs a measure; a failure is a result too. There are no verdicts when sizes are too small to mean anything. */
export async function runMeasure(measure: Measure, bench: Bench): Promise<Measured> {
  const { run, ...declared } = measure;
  try {
    const { value, details } = await run(bench);
    return {
      ...declared,
      value,
      verdict: bench.sizes.isSmoke ? "not judged" : verdictOf(measure, value),
      details,
    };
  } catch (error) {
    bench.say(`${measure.name} could not be measured: ${(error as Error).stack}`);
    return {
      ...declared,
      value: null,
      verdict: "not measured",
      details: { error: (error as Error).message },
    };
  }
}

const verdictOf = ({ target }: Measure, value: number): Measured["verdict"] => {
  const isMet = "atMost" in target ? value <= target.atMost : value >= target.atLeast;
  return isMet ? "met" : "missed";
};
