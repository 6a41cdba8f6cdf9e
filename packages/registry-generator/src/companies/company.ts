import type { Docket } from "../histories/authorities.ts";
import type { Life } from "../histories/carrier-life.ts";
import type { Contacts } from "./contacts.ts";
import type { Fleet } from "./fleet.ts";
import type { Place } from "./states.ts";

/** One company as all five files see it on one day. */
export interface Company {
  life: Life;
  dotNumber: number;
  place: Place;
  legalName: string;
  dbaName: string;
  officer: string;
  isPerson: boolean;
  street: string;
  city: string;
  zip: string;
  /** County code within the state, `000` when unknown, "" outside the United States. */
  county: string;
  contacts: Contacts;
  fleet: Fleet;
  statusCode: "A" | "I" | "P";
  dockets: readonly Docket[];
  /** The USDOT number that it names as its own earlier one. */
  predecessor?: number;
  /** The day of the last census edit; 0 if there was none. */
  editedDay: number;
  isInCensus: boolean;
  /** Its census and legacy lines are in Latin-1 instead of UTF-8. */
  isLatin1: boolean;
}
