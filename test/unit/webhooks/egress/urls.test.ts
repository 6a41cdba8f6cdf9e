import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { refusalOfUrl } from "../../../../src/webhooks/egress/address-rules.ts";
import {
  inUrl,
  PRIVATE_NAMES,
  PUBLIC_ADDRESSES,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
  SPELLINGS,
} from "./special-addresses.ts";

const refusal = (url: string) => refusalOfUrl(url, []);

test.each([
  "https://hooks.example.com/",
  "https://hooks.example.com/carriers?token=a%20b&x=1",
  "https://HOOKS.Example.com:8443/a",
  "https://bücher.example/",
  "https://hooks_1.example.com:1024",
  ...PUBLIC_ADDRESSES.map((address) => `https://${inUrl(address)}/`),
])("takes %s", (url) => {
  expect(refusal(url)).toBeNull();
});

describe("refuses every address that is not public, in any spelling:", () => {
  const hosts = [...SPECIAL_IPV4, ...SPECIAL_IPV6.map(inUrl), ...SPELLINGS];
  test.each(hosts)("%s", (host) => {
    expect(refusal(`https://${host}/hook`)).toMatch(/^The URL's host .+ is not a public address\.$/);
    expect(refusal(`https://${host}:8443/hook`)).not.toBeNull();
  });
});

test.each(PRIVATE_NAMES)("refuses %s, which resolves only inside a network", (name) => {
  expect(refusal(`https://${name}/hook`)).toMatch(/^The URL's host must /);
});

test.each([
  ["http://hooks.example.com/", "The URL must start with https://."],
  ["ftp://hooks.example.com/", "The URL must start with https://."],
  ["javascript:alert(1)", "The URL must start with https://."],
  ["https://user@hooks.example.com/", "The URL must not contain a user name or password."],
  ["https://:secret@hooks.example.com/", "The URL must not contain a user name or password."],
  ["https://hooks.example.com@127.0.0.1/", "The URL must not contain a user name or password."],
  ["https://@hooks.example.com/", "The URL must not contain a user name or password."],
  ["https://:@hooks.example.com/", "The URL must not contain a user name or password."],
  ["https:hooks.example.com/", "The URL must start with https:// and its host."],
  ["https:/hooks.example.com/", "The URL must start with https:// and its host."],
  ["https:///hooks.example.com/", "The URL must start with https:// and its host."],
  ["https:\\\\hooks.example.com/", "The URL must not contain backslashes."],
  ["https://hooks.example.com\\@other.example/", "The URL must not contain backslashes."],
  ["https://hooks.example.com/#", "The URL must not contain a fragment (#…): it would never be sent."],
  ["https://hooks.example.com/#top", "The URL must not contain a fragment (#…): it would never be sent."],
  ["https://hooks.example.com:22/", "The URL's port must be 443, or 1024 or above."],
  ["https://hooks.example.com:80/", "The URL's port must be 443, or 1024 or above."],
  ["https://hooks.example.com:0/", "The URL's port must be 443, or 1024 or above."],
  [" https://hooks.example.com/", "The URL must not contain spaces or control characters."],
  ["https://hooks.exa\nmple.com/", "The URL must not contain spaces or control characters."],
  ["https://hooks.example.com/a\u0000b", "The URL must not contain spaces or control characters."],
  [
    "https://hooks.example.com:65536/",
    "The URL is not valid; it must look like https://hooks.example.com/path.",
  ],
  ["https://[fe80::1%25eth0]/", "The URL is not valid; it must look like https://hooks.example.com/path."],
  ["https://1.2.3.4.5/", "The URL is not valid; it must look like https://hooks.example.com/path."],
  ["https://", "The URL is not valid; it must look like https://hooks.example.com/path."],
  ["//hooks.example.com/", "The URL is not valid; it must look like https://hooks.example.com/path."],
  ["", "The URL is not valid; it must look like https://hooks.example.com/path."],
])("refuses %j and says why", (url, sentence) => {
  expect(refusal(url)).toBe(sentence);
});

it("refuses this machine in every possible spelling of IPv4", () => {
  const spelling = fc
    .tuple(
      fc.nat(0xffffff),
      fc.constantFrom(1, 2, 3, 4),
      fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
    )
    .map(([rest, parts, bases]) => {
      const bytes = [127, rest >> 16, (rest >> 8) & 255, rest & 255];
      const last = bytes.slice(parts - 1).reduce((value, byte) => value * 256 + byte, 0);
      return [...bytes.slice(0, parts - 1), last].map((part, at) => inBase(part, bases[at] ?? 10)).join(".");
    });
  fc.assert(fc.property(spelling, (host) => refusal(`https://${host}/`) !== null));
});

const inBase = (value: number, base: number): string =>
  `${{ 8: "0", 16: "0x" }[base] ?? ""}${value.toString(base)}`;

test("accepts addresses in a range that the operator opened, and the names of the network behind it", () => {
  const opened = ["10.0.0.0/8", "fd00::/8"];
  expect(refusalOfUrl("https://10.1.2.3/", opened)).toBeNull();
  expect(refusalOfUrl("https://[fd00::7]:9000/", opened)).toBeNull();
  expect(refusalOfUrl("https://receiver.corp.internal/", opened)).toBeNull();
  expect(refusalOfUrl("https://receiver/", opened)).toBeNull();
  expect(refusalOfUrl("https://127.0.0.1/", opened)).not.toBeNull();
  expect(refusalOfUrl("https://[::ffff:a01:203]/", opened)).not.toBeNull();
  expect(refusalOfUrl("https://localhost/", opened)).not.toBeNull();
});
