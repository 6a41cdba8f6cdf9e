import { testSituations } from "../generated/test-situations.ts";

/** What a request with a test key may ask to be answered under. The code that refuses or limits such a request is that of live ones. */
export type TestSituation = keyof typeof testSituations;

export const TEST_SITUATION_NAMES = Object.keys(testSituations) as readonly TestSituation[];

/** The situation of a context: live requests never have one. */
interface Situated {
  situation?: TestSituation;
}

/** How many of something an account may have: `most`, or none more when a test request asks for that. */
export const mostIn = ({ situation }: Situated, most: number): number =>
  situation === "limits_reached" ? 0 : most;
