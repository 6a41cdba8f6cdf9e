import { describe, expect, it } from "vitest";
import { SPECIFIED_EVENT_TYPES } from "../../support/specification.ts";
import {
  COLUMNS,
  document,
  type Json,
  recordSchemas,
  resolve,
  typeOf,
  visitSchemas,
  withoutText,
} from "./document.ts";
import { SCHEMAS } from "./schemas-table.ts";

describe("schemas", () => {
  it.each(Object.entries(SCHEMAS))("%s has the specified fields", (path, fields) => {
    const [name, ...members] = path.split(".");
    let schema = document.components.schemas[name ?? ""];
    for (const member of members)
      schema = resolve(schema.properties[member].items ?? schema.properties[member]);
    const actual = Object.fromEntries(
      Object.entries<Json>(schema.properties).map(([field, type]) => [
        schema.required?.includes(field) ? field : `${field}?`,
        typeOf(type),
      ]),
    );
    expect(actual).toEqual(fields);
  });

  it("know the specified event types", () => {
    expect(document.components.schemas.EventType.enum).toEqual(SPECIFIED_EVENT_TYPES);
  });

  it("have the specified lengths and defaults", () => {
    const { WebhookIn, OptOutIn, WebhookOut, Problem } = document.components.schemas;
    expect(WebhookIn.properties.url.maxLength).toBe(2000);
    expect(WebhookIn.properties.description.maxLength).toBe(120);
    expect(OptOutIn.properties.details.maxLength).toBe(2000);
    expect(WebhookOut.properties.failure_streak.default).toBe(0);
    expect(Problem.properties.type.default).toBe("about:blank");
  });

  it("bound every integer", () => {
    visitSchemas((schema, path) => {
      if ([schema.type].flat().includes("integer"))
        expect(schema, path).toMatchObject({
          format: expect.stringMatching(/^int(32|64)$/),
          minimum: expect.any(Number),
          maximum: expect.any(Number),
        });
    });
  });

  it("bound every string and list", () => {
    visitSchemas((schema, path) => {
      if (/\/content\/(text\/csv|application\/x-ndjson)\//.test(path)) return;
      const types = [schema.type].flat();
      if (types.includes("string"))
        expect(schema.maxLength ?? schema.enum ?? schema.format, path).toBeDefined();
      if (types.includes("array")) expect(schema.maxItems, path).toBeDefined();
    });
  });
});

describe("records", () => {
  it.each(Object.entries(COLUMNS))(
    "of %s have its columns, in order, all required and described",
    (feed, columns) => {
      const schema = recordSchemas.find(([, candidate]) => candidate["x-feed"] === feed)?.[1];
      expect(schema.required).toEqual(columns);
      expect(schema.additionalProperties).not.toBe(false);
      for (const column of columns) expect(schema.properties[column].description, column).toMatch(/\w/);
    },
  );

  it("are the records that a page may have", () => {
    const options = document.components.schemas.RecordsOut.properties.data.items.anyOf;
    expect(options.map(({ $ref }: Json) => resolve({ $ref })["x-feed"])).toEqual(Object.keys(COLUMNS));
  });

  it("have the types of the six columns in the specification", () => {
    for (const [name, { properties }] of recordSchemas) {
      const known = ["company", "dot_number", "authority_status", "last_verified"].map((c) =>
        typeOf(properties[c]),
      );
      expect(known, name).toEqual(["string", "string", "string", "string(date)"]);
      // The feed's rule wants the day of the grant (src/feeds/rules/feed-rules.ts).
      const isGranted = name === "NewAuthorityRecord";
      expect(typeOf(properties.authority_granted)).toBe(isGranted ? "string(date)" : "string(date)|null");
      expect(withoutText(properties.state)).toEqual({
        type: ["string", "null"],
        maxLength: 2,
        pattern: "^[A-Z]{2}$",
      });
    }
  });
});

describe("the webhook", () => {
  const { post } = document.webhooks.carrierEvent;

  it("is a signed POST of the delivery body", () => {
    expect(post.operationId).toBe("carrierEvent");
    expect(post.security).toEqual([]);
    expect(post.requestBody.required).toBe(true);
    // The thin one since 1.1.
    expect(post.requestBody.content["application/json"].schema).toEqual({
      anyOf: [
        { $ref: "#/components/schemas/DeliveryBody" },
        { $ref: "#/components/schemas/ThinDeliveryBody" },
      ],
    });
  });

  it("has the signature and the other delivery headers", () => {
    const names = post.parameters.map((parameter: Json) => [
      parameter.name,
      parameter.in,
      parameter.required,
    ]);
    expect(names).toEqual(
      [
        "Service-Signature",
        "Service-Event-Id",
        "Service-Delivery-Id",
        "Service-Delivery-Attempt",
        // The three of Standard Webhooks, since 1.1.
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
        "User-Agent",
      ].map((name) => [name, "header", true]),
    );
    // The second v1 since 1.1, after a rotation with an overlap.
    expect(post.parameters[0].schema.pattern).toBe("^t=[0-9]{1,12}(,v1=[0-9a-f]{64}){1,2}$");
    expect(document.components.schemas.DeliveryBody.properties.id.pattern).toBe("^evt_[0-9]{1,16}$");
  });
});
