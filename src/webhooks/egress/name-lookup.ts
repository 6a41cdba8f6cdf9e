import { Resolver } from "node:dns/promises";
import { SendFailure } from "./reasons.ts";

/** Finds every address of a name. */
export type NameLookup = (name: string) => Promise<readonly string[]>;

/**
 * Asks the name servers of /etc/resolv.conf (or those given) over its own sockets. dns.lookup shares four threads in the
 * whole process, so a few names without an answer would block everyone. It also reads /etc/hosts, whose names are
 * never receivers.
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
