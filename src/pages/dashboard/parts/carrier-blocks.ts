// The facts behind a carrier's first line, in words.
import type { Decision } from "../../../carriers/decision/decision.ts";
import type { AuthorityFacts, Cover } from "../../../carriers/decision/facts.ts";
import { endOf } from "../../../carriers/decision/may-operate.ts";
import type { components } from "../../../generated/types.ts";
import { shownDate } from "../../../platform/shown-day.ts";
import { classInWords } from "../../../registry/authority-classes.ts";
import { codeInWords } from "../../../registry/code-words.ts";
import { LEGACY_FROZEN_ON } from "../../../registry/datasets.ts";
import { type Html, html } from "../../kit/html.ts";
import { facts, table } from "../../kit/table.ts";
import { dollars, INSURANCE_WORDS, ORDER_WORDS } from "./decision-line.ts";

type Records = components["schemas"]["CarrierOut"]["records"];

/** The blocks of authority, insurance, safety and contact. */
export const carrierBlocks = (decision: Decision, records: Records): Html => html`<h2>Authority</h2>
${authorityBlock(decision)}
<div class="pair blocks">
<div>
<h2>Insurance</h2>
${insuranceBlock(decision)}
</div>
<div>
<h2>Safety</h2>
${safetyBlock(decision)}
<h2>Contact</h2>
${contactBlock(records)}
</div>
</div>`;

const authorityBlock = ({ authorities, today }: Decision): Html =>
  authorities.length === 0
    ? html`<p>The registry has no operating authority of this company.</p>`
    : table({
        label: "Authorities",
        rowsAreCards: true,
        rows: authorities,
        columns: [
          {
            head: "Authority",
            cell: ({ docket, authorityClass }) =>
              html`${docket ?? "no docket number"}<br>${classInWords(authorityClass)}`,
          },
          {
            head: "Status",
            cell: (authority) =>
              [statusText(authority, today), ...announcedTexts(authority, today)].join("; "),
            isLong: true,
          },
          { head: "The registry's words", cell: ({ lastChange }) => lastChange?.reason },
          {
            head: "Confirmed by",
            cell: ({ statusSource }) =>
              statusSource === "motus" ? "Motus" : `legacy registry, ${shownDate(LEGACY_FROZEN_ON, today)}`,
          },
        ],
      });

function statusText(authority: AuthorityFacts, today: string): string {
  const { status, grantedOn, lastChange } = authority;
  if (status === "active") {
    return grantedOn === null ? "active" : `active, granted ${shownDate(grantedOn, today)}`;
  }
  if (status === "pending") return "applied for, not granted";
  if (status === "missing") return "no longer named by the registry";
  if (status !== "inactive" && status !== "withdrawn") return status;
  const end = endOf(authority);
  if ("since" in end && end.since !== null)
    return `${codeInWords(end.code)} on ${shownDate(end.since, today)}`;
  return lastChange === null ? "not active" : `not active since ${shownDate(lastChange.on, today)}`;
}

function announcedTexts({ orders, isRevocationUndated }: AuthorityFacts, today: string): string[] {
  const ordered = orders.map(({ kind, effectiveOn, servedOn }) => {
    const served = servedOn === null ? "" : `, served ${shownDate(servedOn, today)}`;
    return `${ORDER_WORDS[kind]} for ${shownDate(effectiveOn, today)}${served}`;
  });
  return isRevocationUndated ? [...ordered, "a revocation is open, its day is in no file"] : ordered;
}

function insuranceBlock({ authorities, today }: Decision): Html {
  const covered = authorities.filter(({ status, cover }) => status === "active" && cover !== null);
  if (covered.length === 0)
    return html`<p>No authority is active, so the files say nothing of insurance.</p>`;
  return html`${covered.map(
    (authority) => html`${
      covered.length > 1 &&
      html`<h3>${[authority.docket, classInWords(authority.authorityClass)].filter(Boolean).join(", ")}</h3>`
    }
${coverFacts(authority, authority.cover as Cover, today)}`,
  )}`;
}

function coverFacts({ authorityClass }: AuthorityFacts, cover: Cover, today: string): Html {
  const { required, onFile, insurer, effectiveOn } = cover;
  const isBroker = authorityClass === "broker";
  const isSecured = isBroker || authorityClass === "freight_forwarder";
  return facts([
    !isBroker && ["Liability required", amountText(required, "none")],
    !isBroker && ["Liability on file", amountText(onFile, "none on file")],
    isSecured && ["Bond or trust fund", bondText(cover)],
    authorityClass === "carrier_hhg" && [
      "Cargo insurance",
      filedText(cover.isCargoRequired, cover.isCargoOnFile),
    ],
    ["Insurer", insurer ?? "not in the files"],
    effectiveOn !== null && ["Covers since", shownDate(effectiveOn, today)],
    ["Cancellation", cancellationText(cover, today)],
  ]);
}

function cancellationText({ cancellation, isChecked }: Cover, today: string): string {
  if (cancellation === null) return isChecked ? "none filed, or another policy follows" : "not known";
  const { insuranceType, insurer, on } = cancellation;
  const what = `${INSURANCE_WORDS[insuranceType]}${insurer === null ? "" : ` of ${insurer}`}`;
  return on <= today
    ? `${what} ended ${shownDate(on, today)}, no other one is in force`
    : `${what} ends ${shownDate(on, today)}, no other one follows by then`;
}

const amountText = (amount: number | null, none: string): string =>
  amount === null ? "not known" : amount === 0 ? none : dollars(amount);

const filedText = (isRequired: boolean | null, isOnFile: boolean | null): string => {
  if (isOnFile === true) return "on file";
  if (isRequired === false) return "not required";
  return isOnFile === false ? "required, none on file" : "not known";
};

const bondText = ({ bondForm, isBondRequired, isBondOnFile }: Cover): string =>
  bondForm === null ? filedText(isBondRequired, isBondOnFile) : `${codeInWords(bondForm)} on file`;

function safetyBlock({ company, today }: Decision): Html {
  const { isOutOfService, outOfServiceSince, outOfServiceReason, safetyRating, safetyRatingOn } = company;
  return facts([
    [
      "Out of service",
      isOutOfService === null
        ? "not known"
        : isOutOfService
          ? `yes${outOfServiceSince === null ? "" : `, since ${shownDate(outOfServiceSince, today)}`}`
          : "no",
    ],
    outOfServiceReason !== null && ["The registry's words", outOfServiceReason],
    [
      "Safety rating",
      safetyRating === null
        ? "none in the census"
        : `${safetyRating}${safetyRatingOn === null ? "" : `, of ${shownDate(safetyRatingOn, today)}`}`,
    ],
  ]);
}

function contactBlock(records: Records): Html {
  const first = (told: (record: Records[number]["record"]) => string | null | undefined) =>
    records.map(({ record }) => told(record)).find(Boolean) ?? null;
  const city = [first(({ city }) => city), first(({ state }) => state), first(({ zip }) => zip)];
  const address = [first(({ street }) => street), ...city].filter(Boolean).join(", ");
  const lines = [
    ["Phone", first(({ phone }) => phone)],
    ["Cell phone", first(({ cell_phone }) => cell_phone)],
    ["E-mail", first(({ email }) => email)],
    ["Address", address],
  ] as const;
  const known = lines.filter(([, value]) => value);
  return known.length === 0
    ? html`<p>Your feeds show no phone, e-mail or address of this company.</p>`
    : facts(known);
}
