// Parses settings. Each function reads one text and adds its mistake to a list, without repeating a secret.
import ipaddr from "ipaddr.js";
import type { Config } from "../context.ts";
import { LOG_LEVELS, type LogLevel } from "../log.ts";
import { isMailAddress } from "../mail/address.ts";
import { isPlainText } from "../plain-text.ts";

export function wholeNumberFrom(
  name: string,
  text: string | undefined,
  { byDefault, least, most }: { byDefault: number; least: number; most: number },
  mistakes: string[],
): number {
  if (!text) return byDefault;
  if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  mistakes.push(`${name} must be a whole number from ${least} to ${most}, not "${text}"`);
  return byDefault;
}

export function databaseUrlFrom(name: string, text: string | undefined, mistakes: string[]): string | null {
  if (!text) return null;
  if (/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  mistakes.push(`${name} must look like postgresql://user:password@host:5432/database`);
  return null;
}

/** Whether a switch is on, as it is unless it says otherwise. */
export function isOnFrom(name: string, text: string | undefined, mistakes: string[]): boolean {
  if (text && text !== "on" && text !== "off") mistakes.push(`${name} must be on or off, not "${text}"`);
  return text !== "off";
}

export function smtpUrlFrom(text: string | undefined, mistakes: string[]): string | null {
  if (!text) return null;
  const url = URL.parse(text);
  if (/^smtps?:$/.test(url?.protocol ?? "") && url?.hostname) return text;
  mistakes.push("SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465");
  return null;
}

export function mailAddressSettingFrom(
  name: string,
  text: string | undefined,
  mistakes: string[],
): string | null {
  if (!text) return null;
  if (isMailAddress(text.trim())) return text.trim();
  mistakes.push(`${name} must be one e-mail address like name@company.example`);
  return null;
}

/** An address that paths are put behind, as the text has it: so it must be whole, which a lenient parser does not ask for. */
export function addressFrom(name: string, given: string, mistakes: string[]): string {
  const text = given.trim();
  const url = URL.parse(text);
  const isPlain = /^https?:\/\/[^\s?#]+$/i.test(text) && !url?.username && !url?.password;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (isPlain && isSafe) return text.replace(/\/+$/, "");
  mistakes.push(
    `${name} must be an https address (http only for this machine) without user, query or blanks, like https://api.company.example`,
  );
  return "";
}

/** A secret that is sent as the value of an HTTP header. */
export function headerValueFrom(name: string, text: string | undefined, mistakes: string[]): string | null {
  if (!text) return null;
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  mistakes.push(`${name} must be printable ASCII without blanks`);
  return null;
}

/** The address of a receiver in the operator's network, which may be http. */
export function receiverFrom(name: string, text: string | undefined, mistakes: string[]): string | null {
  if (!text) return null;
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text.replace(/\/+$/, "");
  mistakes.push(`${name} must look like http://collector.example:4318`);
  return null;
}

/** Whether a host, of an address or to listen on, is one of this machine's own. */
const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host.toLowerCase());

/** Keys separated by commas. To replace a key, put the new one first and keep the old one after it. */
export function secretsKeysFrom(text: string | undefined, mistakes: string[]): readonly Buffer[] {
  if (!text) return [];
  const keys = text.split(",").map((each) => Buffer.from(each.trim(), "base64"));
  if (keys.every((key) => key.length === 32)) return keys;
  mistakes.push(
    "SECRETS_KEY must be 32 random bytes in base64, as `openssl rand -base64 32` prints them (several separated by commas)",
  );
  return [];
}

export function cidrsFrom(name: string, text: string | undefined, mistakes: string[]): readonly string[] {
  const ranges = listOf(text);
  const wrong = ranges.filter((range) => !ipaddr.isValidCIDR(range));
  if (wrong.length > 0) mistakes.push(`${name} must list ranges like 127.0.0.0/8,::1/128; not "${wrong[0]}"`);
  return ranges;
}

export function secondsFrom(name: string, text: string, mistakes: string[]): readonly number[] {
  const texts = listOf(text);
  const isList = texts.length >= 1 && texts.length <= 20;
  if (isList && texts.every((each) => /^[1-9]\d{0,6}$/.test(each))) return texts.map(Number);
  mistakes.push(`${name} must list 1 to 20 whole numbers of seconds like 60,600,3600`);
  return [];
}

const listOf = (text: string | undefined): string[] =>
  (text ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

export function operatorFrom(name: string, text: string | undefined, mistakes: string[]): string | null {
  const operator = text?.trim();
  if (!operator) return null;
  if (operator.length <= 100 && isPlainText(operator)) return operator;
  mistakes.push(`${name} must have at most 100 characters and no control characters`);
  return null;
}

export function logLevelFrom(text: string | undefined, mistakes: string[]): LogLevel {
  const level = LOG_LEVELS.find((known) => known === (text || "info"));
  if (level) return level;
  mistakes.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}, not "${text}"`);
  return "info";
}

/** Whether only programs of this machine can reach the service: it listens here, and its address is one of here. */
export function isOnThisMachine({ host, publicUrl }: Pick<Config, "host" | "publicUrl">): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "http:" && isLoopback(hostname) && isLoopback(host);
}
