import { describe, expect, test } from "vitest";
import {
  legacyAuthorityClass,
  motusAuthorityClass,
} from "../../../src/registry/vocabularies/vocabularies.ts";

describe("a Motus authority type", () => {
  test.each([
    ["Motor Carrier of Property (Except Household Goods)", "carrier_property"],
    ["Enterprise Motor Carrier of Property (Except Household Goods)", "carrier_property"],
    ["Mexico Domiciled Motor Carrier of Property (Except Household Goods)", "carrier_property"],
    ["Mexico Domiciled Private Motor Carrier of Property (Except Household Goods)", "carrier_property"],
    ["Motor Carrier of Household Goods", "carrier_hhg"],
    ["Enterprise Motor Carrier of Household Goods", "carrier_hhg"],
    ["MOTOR CARRIER OF HOUSEHOLD GOODS", "carrier_hhg"],
    ["Motor Carrier of Passengers", "passenger"],
    ["Broker of Property (Except Household Goods)", "broker"],
    ["Broker of Household Goods", "broker"],
    ["Broker of Property", "broker"],
    ["Broker", "broker"],
    ["Freight Forwarder of Property (Except Household Goods)", "freight_forwarder"],
    ["Freight Forwarder of Household Goods", "freight_forwarder"],
    ["Intermodal Equipment Provider", "unknown"],
    ["Private Fleet of Property", "unknown"],
    ["Motor Carrier", "unknown"],
    ["", "unknown"],
  ])("%j is of class %s", (opAuthType, authorityClass) => {
    expect(motusAuthorityClass(opAuthType)).toBe(authorityClass);
  });
});

describe("a legacy authority type", () => {
  test.each([
    ["MC139446", "HOUSEHOLD GOODS COMMON CARRIER", "carrier_hhg"],
    ["MC1", "MOTOR PROPERTY CONTRACT CARRIER", "carrier_property"],
    ["MC1", "MOTOR PROPERTY COMMON CARRIER (EXCEPT HOUSEHOLD GOODS)", "carrier_property"],
    ["MC1", "MOTOR PASSENGER COMMON CARRIER", "passenger"],
    ["MC1", "PROPERTY BROKER", "broker"],
    ["MC1", "HOUSEHOLD GOODS BROKER", "broker"],
    ["MC1", "BROKER", "broker"],
    ["MC1", "COMMON", "carrier"],
    ["MC1", "contract", "carrier"],
    ["FF58485", "CONTRACT", "freight_forwarder"],
    ["MC1", "", "unknown"],
    ["MC1", "WATER", "unknown"],
  ])("on %s, %j is of class %s", (docket, opAuthType, authorityClass) => {
    expect(legacyAuthorityClass(docket, opAuthType)).toBe(authorityClass);
  });
});
