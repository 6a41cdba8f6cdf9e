/**
 * The 50 states, the District of Columbia and the territories. Published feed versions store the index of a state in
 * this list, so new codes may only be added at its end.
 */
export const STATE_CODES: readonly string[] = (
  "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK " +
  "OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR VI GU AS MP"
).split(" ");

/** The post offices of the armed forces have codes like states. */
const POSTAL_STATES: ReadonlySet<string> = new Set([...STATE_CODES, "AA", "AE", "AP"]);

/** Whether an address with this code is in the US. */
export const isPostalState = (code: string): boolean => POSTAL_STATES.has(code);

/** The country of a row whose country and state contradict each other. Feeds and events leave it out. */
export const UNKNOWN_COUNTRY = "UNKNOWN";
