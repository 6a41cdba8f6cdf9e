// Addresses that no delivery may go to: those in the registries of special addresses (RFC 6890 and its successors), and
// unassigned ones.

export const SPECIAL_IPV4: readonly string[] = [
  // this network
  "0.0.0.0",
  "0.1.2.3",
  // private networks
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.254",
  "192.168.0.1",
  "192.168.255.255",
  // a provider's own network
  "100.64.0.1",
  "100.127.255.254",
  // this machine
  "127.0.0.1",
  "127.0.0.53",
  "127.255.255.254",
  // link-local; clouds have their metadata service there
  "169.254.0.1",
  "169.254.169.254",
  "169.254.170.2",
  // protocol assignments
  "192.0.0.1",
  "192.0.0.8",
  "192.0.0.170",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.175.48.1",
  // documentation and benchmarking
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.1",
  "198.18.0.1",
  "198.19.255.255",
  // multicast, reserved, broadcast
  "224.0.0.1",
  "233.252.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
];

export const SPECIAL_IPV6: readonly string[] = [
  // unspecified, loopback, and unassigned ones beside them
  "::",
  "::1",
  "::2",
  "1::1",
  "4000::1",
  "8000::1",
  "e000::1",
  // IPv4 embedded in IPv6: compatible, mapped, translated, 6to4, Teredo
  "::7f00:1",
  "::808:808",
  "::ffff:7f00:1",
  "::ffff:a9fe:a9fe",
  "::ffff:808:808",
  "::ffff:0:7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b::808:808",
  "64:ff9b:1::a00:1",
  "2002:7f00:1::1",
  "2001::1",
  // discard-only, and dummy prefixes
  "100::1",
  "100:0:0:1::1",
  // protocol assignments
  "2001:1::1",
  "2001:2::1",
  "2001:3::1",
  "2001:4:112::1",
  "2001:10::1",
  "2001:20::1",
  "2001:30::1",
  "2620:4f:8000::1",
  "5f00::1",
  // documentation
  "2001:db8::1",
  "3fff::1",
  // private networks, link-local, site-local, multicast
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "febf::1",
  "fec0::1",
  "ff02::1",
  "ff0e::1",
];

/** Public addresses right beside special ones. */
export const PUBLIC_ADDRESSES: readonly string[] = [
  "1.1.1.1",
  "8.8.8.8",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "126.255.255.255",
  "128.0.0.1",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.1",
  "192.0.1.1",
  "192.167.255.255",
  "192.169.0.1",
  "198.17.255.255",
  "198.20.0.1",
  "223.255.255.255",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2003::1",
  "2606:4700:4700::1111",
  "2a00:1450:4001::1",
];

/** Other spellings of such addresses that URLs allow. */
export const SPELLINGS: readonly string[] = [
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0X7F.0.0.1",
  "017700000001",
  "0177.0.0.1",
  "127.1",
  "127.0.1",
  "127.0.0.1.",
  "①②⑦.0.0.1",
  "１２７.０.０.１",
  "127。0。0。1",
  "%31%32%37.0.0.1",
  "0",
  "0x0",
  "0xa9fea9fe",
  "2852039166",
  "0251.0376.0251.0376",
  "169.16689662",
  "[::ffff:127.0.0.1]",
  "[::FFFF:7F00:1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::127.0.0.1]",
];

/** Names that resolve only inside a machine or a network. */
export const PRIVATE_NAMES: readonly string[] = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "ｌｏｃａｌｈｏｓｔ",
  "loc%61lhost",
  "printer.local",
  "metadata.google.internal",
  "host.docker.internal",
  "router.lan",
  "nas.home.arpa",
  "server.localdomain",
  "wiki.intranet",
  "intranet",
  "intranet.",
  "internal",
  "hooks.example.com.",
];

/** An address as written in a URL. */
export const inUrl = (address: string): string => (address.includes(":") ? `[${address}]` : address);
