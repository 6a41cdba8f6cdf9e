/** An e-mail address without control characters, quotes or anything that could end a header. */
const ADDRESS = /^[^\s\p{C}@<>()[\]:;,\\"]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/iu;
const LONGEST_ADDRESS = 254;

/** Whether the text is exactly one e-mail address. */
export const isMailAddress = (text: string): boolean => text.length <= LONGEST_ADDRESS && ADDRESS.test(text);

/** The address of `name@company.example` or `Name <name@company.example>`; null for any other text. */
export function mailAddressFrom(text: string): string | null {
  const [, named] = /^[^<>"\p{Cc}]{0,200}<([^<>]+)>$/u.exec(text) ?? [];
  const address = (named ?? text).trim();
  return isMailAddress(address) ? address : null;
}

/** The mailbox of an address: many providers ignore dots and everything after a plus. */
export function mailboxOf(address: string): string {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  return `${local.replace(/\+.*$/, "").replaceAll(".", "")}@${domain}`;
}
