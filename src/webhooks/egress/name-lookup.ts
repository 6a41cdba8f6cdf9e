import { Resolver } from "node:dns/promises";
import { SendFailure } from "./reasons.ts";

/** Finds every address a name stands for. */
export type NameLookup = (name: string) => Promise<readonly string[]>;

/**
 * Asks the name servers of /etc/resolv.conf (or those named) over sockets of its own. dns.lookup would share four
 * threads among all of the process, so that a few names nobody answers for would stall everyone; and it would read
 * /etc/hosts, where names of this machine stand that are no receiver's.
 */
export function createNameLookup(servers?: readonly string[]): NameLookup {
  const resolver = new Resolver({ timeout: 2_000, maxTimeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw new SendFailure("connection_failed");
  };
}
