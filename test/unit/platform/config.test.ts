import path from "node:path";
import { describe, expect, it } from "vitest";
import { configFrom } from "../../../src/platform/config/config.ts";

describe("configuration", () => {
  it("has the documented defaults", () => {
    expect(configFrom({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      databaseUrl: null,
      dataDir: path.resolve(".data"),
      publicUrl: "http://127.0.0.1:3000",
      logLevel: "info",
      adminPort: null,
    });
  });

  it("names every mistake at once, and never repeats a value that may hold a password", () => {
    const wrong = {
      PORT: "99999",
      DATABASE_URL: "mysql://u:hunter2@h/d",
      PUBLIC_URL: "ftp://x",
      LOG_LEVEL: "loud",
    };
    expect(() => configFrom(wrong)).toThrow(/PORT.*DATABASE_URL.*PUBLIC_URL.*LOG_LEVEL/);
    expect(() => configFrom(wrong)).not.toThrow(/hunter2/);
  });

  it("takes further addresses of a named database alone", () => {
    const url = "postgresql://u:hunter2@h/d";
    expect(configFrom({ DATABASE_URL: url, DATABASE_READ_URL: url })).toMatchObject({
      databaseDirectUrl: null,
      databaseReadUrl: url,
    });
    expect(() => configFrom({ DATABASE_DIRECT_URL: url })).toThrow(
      /DATABASE_DIRECT_URL requires DATABASE_URL/,
    );
    expect(() => configFrom({ DATABASE_URL: url, DATABASE_READ_URL: "h" })).toThrow(
      /DATABASE_READ_URL must look/,
    );
  });

  it("names a mistake once that several addresses of a setting have", () => {
    expect(() => configFrom({ REGISTRY_URL: "a,b" })).toThrow(/^(?!.*REGISTRY_URL.*REGISTRY_URL)/);
    expect(configFrom({ REGISTRY_URL: "https://a.example, https://b.example/" }).registryUrls).toEqual([
      "https://a.example",
      "https://b.example",
    ]);
  });

  it("names prepared statements unless told not to", () => {
    expect(configFrom({}).namesStatements).toBe(true);
    expect(configFrom({ DATABASE_STATEMENT_NAMES: "off" }).namesStatements).toBe(false);
    expect(() => configFrom({ DATABASE_STATEMENT_NAMES: "no" })).toThrow(
      /DATABASE_STATEMENT_NAMES must be on or off/,
    );
  });

  it("reads one e-mail address at which customers reach the operator", () => {
    expect(configFrom({}).contactEmail).toBeNull();
    expect(configFrom({ CONTACT_EMAIL: "sales@feeds.example" }).contactEmail).toBe("sales@feeds.example");
    expect(() => configFrom({ CONTACT_EMAIL: "sales" })).toThrow(/CONTACT_EMAIL/);
  });

  // A comma alone was taken as a list without entries: a delivery that failed once was given up.
  it.each([",", " , ,", "60,0", "60;600"])("refuses %j as seconds between attempts", (text) => {
    expect(() => configFrom({ WEBHOOK_RETRY_SECONDS: text })).toThrow(
      /WEBHOOK_RETRY_SECONDS must list 1 to 20/,
    );
  });

  it("requires different ports for metrics and the API", () => {
    expect(configFrom({ PORT: "8080", ADMIN_PORT: "9090" }).adminPort).toBe(9090);
    expect(() => configFrom({ PORT: "8080", ADMIN_PORT: "8080" })).toThrow(/another port than PORT/);
    expect(() => configFrom({ ADMIN_PORT: "http" })).toThrow(/ADMIN_PORT must be a whole number/);
  });

  it.each([
    ["https://api.example.com/", "https://api.example.com"],
    ["https://api.example.com/tdf/", "https://api.example.com/tdf"],
    // As a file of settings has them. With the blank no link in a mail worked.
    [" https://api.example.com ", "https://api.example.com"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["http://[::1]:3000", "http://[::1]:3000"],
  ])("accepts the public address %s", (text, expected) => {
    expect(configFrom({ PUBLIC_URL: text }).publicUrl).toBe(expected);
  });

  it.each([
    "http://api.example.com",
    "https://user:pw@api.example.com",
    "https://:pw@api.example.com",
    "https://api.example.com/?a=1",
    "https://api.example.com?",
    "https://api.example.com#",
    "https://api.example.com/two words",
    "https:api.example.com",
    "api.example.com",
  ])("refuses the public address %s", (text) => {
    expect(() => configFrom({ PUBLIC_URL: text })).toThrow(/PUBLIC_URL/);
  });
});
