import { describe, expect, it } from "vitest";
import { eventSentence, type ToldEvent } from "../../../src/events/event-sentence.ts";
import { EVENT_TYPES, type EventType } from "../../../src/events/event-types.ts";

const told = (type: EventType, given: Partial<ToldEvent> = {}): string =>
  eventSentence({
    type,
    usdot: "3456789",
    docket: "MC1261137",
    occurred_at: "2026-11-19",
    detected_at: "2026-11-20T11:20:05Z",
    ...given,
    data: { legal_name: "FOREST RIDGE FREIGHT INC", ...given.data },
  });
const WHO = "MC1261137 FOREST RIDGE FREIGHT INC";

describe("an event as a sentence", () => {
  it("says that the event was withdrawn", () => {
    const data = { effective_date: "2026-11-19", correction: "withdrawn" } as const;
    expect(told("new_authority_granted", { data })).toBe(
      `${WHO}: authority granted on 19 November (withdrawn since)`,
    );
    const changed = { ...data, correction: "changed" } as const;
    expect(told("new_authority_granted", { data: changed })).toBe(`${WHO}: authority granted on 19 November`);
  });

  it("tells of an order and the day on which it takes effect", () => {
    const data = { reason: "Involuntary Suspension", effective_date: "2026-12-22" };
    expect(told("revocation_pending", { data })).toBe(`${WHO}: suspension ordered, takes effect 22 December`);
    const revocation = { ...data, reason: "Involuntary Revocation", authority_type: "broker" };
    expect(told("revocation_pending", { data: revocation })).toBe(
      `${WHO}: revocation of the authority as broker ordered, takes effect 22 December`,
    );
  });

  it("tells of a grant, a reinstatement and a suspension, with their day", () => {
    expect(told("new_authority_granted")).toBe(`${WHO}: authority granted on 19 November`);
    expect(told("reinstated", { data: { authority_type: "freight_forwarder" } })).toBe(
      `${WHO}: authority as freight forwarder reinstated on 19 November`,
    );
    expect(told("insurance_cancellation_suspension", { data: { effective_date: "2026-11-18" } })).toBe(
      `${WHO}: authority suspended on 18 November for lack of insurance or bond`,
    );
  });

  it("tells how an authority was lost, and why", () => {
    const data = { status_before: "active", status_after: "inactive", reason: "Voluntary Revocation" };
    expect(told("authority_inactive", { data })).toBe(
      `${WHO}: authority inactive since 19 November, reason: Voluntary Revocation`,
    );
    const withdrawn = { status_before: "pending", status_after: "withdrawn" };
    expect(told("authority_inactive", { data: withdrawn })).toBe(
      `${WHO}: authority withdrawn on 19 November, pending before`,
    );
  });

  it("names the year where it is not that of the detection", () => {
    const data = { effective_date: "2027-01-04" };
    expect(told("revocation_pending", { data })).toContain("takes effect 4 January 2027");
    expect(told("reinstated", { occurred_at: "2025-12-31" })).toContain("on 31 December 2025");
  });

  it.each(EVENT_TYPES)("is whole for %s without docket, day and details", (type) => {
    const sentence = eventSentence({ type, usdot: "77" });
    expect(sentence).toMatch(/^USDOT 77: [a-z ]+[a-z]$/);
    expect(sentence).not.toMatch(/undefined|null| {2}/);
  });

  it("takes an authority of a class that it does not know for an authority", () => {
    expect(told("reinstated", { data: { authority_type: "spaceship" } })).toContain(": authority reinstated");
  });
});
