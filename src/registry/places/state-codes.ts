/**
 * The 50 states, the District of Columbia and the territories. Published feed versions store the index of a state in
 * this list, so new codes may only be added at its end.
 */
export const STATE_CODES: readonly string[] = (
  "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK " +
  "OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR VI GU AS MP"
).split(" ");
