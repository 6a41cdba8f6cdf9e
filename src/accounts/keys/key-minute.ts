// The minute of a key. Requests from elsewhere than the key's networks are counted in it apart, with the same limit: a stranger
// with the key uses up nothing of its owner's.
import type * as sql from "../../generated/sql/accounts/keys.ts";
import { isAllowedFrom, storedNetworks } from "./grant.ts";

/** A key's minute, with the requests in it before the next one of the batch. */
export interface Minute {
  minute: number;
  used: number;
  elsewhere: number;
}

export const minuteOf = (ms: number): number => Math.floor(ms / 60_000);

/** Where a request comes from. Null: as if from the key's networks. */
interface From {
  clientAddress: string | null;
}

type Networks = Pick<sql.AdmissionRow, "allowed_networks">;

/** The requests of a secret in a batch, as the statements count them: those from elsewhere are not in `requests`. */
export function sorted(requests: readonly From[], key: Networks): { requests: number; elsewhere: number } {
  const elsewhere = requests.filter((request) => isFromElsewhere(request, key)).length;
  return { requests: requests.length - elsewhere, elsewhere };
}

const isFromElsewhere = ({ clientAddress }: From, { allowed_networks }: Networks): boolean =>
  clientAddress !== null && !isAllowedFrom({ networks: storedNetworks(allowed_networks) }, clientAddress);

/** Counts the next request of the batch. Returns its number among those that share its limit. */
export function countNext(minute: Minute, request: From, key: Networks): number {
  const counter = isFromElsewhere(request, key) ? "elsewhere" : "used";
  minute[counter] += 1;
  return minute[counter];
}

/** The minutes of the keys whose requests were counted. Both secrets of a key count in the same one. */
export function minutesOf(rows: readonly sql.AdmissionRow[]): ReadonlyMap<string, Minute> {
  const minutes = new Map<string, Minute>();
  for (const row of rows) {
    const { key_id, minute, used, used_elsewhere, requests, elsewhere } = row;
    const isCounted = row.is_sorted && !row.is_expired;
    if (!isCounted || minute === null || used === null || used_elsewhere === null) continue;
    const first = minutes.get(key_id) ?? { minute, used, elsewhere: used_elsewhere };
    minutes.set(key_id, { minute, used: first.used - requests, elsewhere: first.elsewhere - elsewhere });
  }
  return minutes;
}
