import { expect, it } from "vitest";
import { clientDigest, clientPrefix } from "../../../src/platform/http/client.ts";
import { TEST_SECRETS } from "../../support/secrets.ts";

it("counts an IPv4 address by itself, in any notation", () => {
  for (const address of ["198.51.100.7", "::ffff:198.51.100.7", "::ffff:c633:6407"])
    expect(clientPrefix(address)).toBe("198.51.100.7");
  expect(clientPrefix("198.51.100.8")).not.toBe(clientPrefix("198.51.100.7"));
});

it("counts IPv6 addresses by their /56", () => {
  const prefixes = ["2001:db8:1:200::", "2001:0DB8:1:2ff:ffff:ffff:ffff:ffff", "2001:db8:1:2a0::1%eth0"].map(
    clientPrefix,
  );
  expect(new Set(prefixes)).toEqual(new Set(["2001:db8:1:200:0:0:0:0/56"]));
  expect(clientPrefix("2001:db8:1:300::")).toBe("2001:db8:1:300:0:0:0:0/56");
});

it("keeps no address that can be read, or guessed without the key", () => {
  const digest = clientDigest({ secrets: TEST_SECRETS }, "198.51.100.7");
  expect(digest).toHaveLength(32);
  expect(clientDigest({ secrets: TEST_SECRETS }, "::ffff:198.51.100.7")).toEqual(digest);
  expect(TEST_SECRETS.digest("198.51.100.7", "another purpose")).not.toEqual(digest);
});
