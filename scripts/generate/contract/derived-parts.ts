import { type Contract, type Parameter, type Reference, resolve, type Schema } from "./contract.ts";

/** A part of openapi.yaml that follows from other parts, and its value. */
export interface DerivedPart {
  at: (string | number)[];
  value: unknown;
}

type Document = Contract["document"] & {
  servers: { url: string }[];
  components: {
    examples: Record<string, { value: unknown }>;
    headers: Record<string, { example?: unknown }>;
  };
};
/** An object of an example. */
type Members = Record<string, unknown>;

/** Every part of the contract that follows from others; docs/contract.md lists them. */
export const derivedParts = (document: Document): DerivedPart[] => [
  ...lists(document),
  ...tables(document),
  ...feedExamples(document),
  ...recordExamples(document),
  ...problemExamples(document),
];

function lists(document: Document): DerivedPart[] {
  const records = recordSchemas(document);
  const types = Object.keys(document["x-events"]);
  const ofDeliveries = (document.paths[DELIVERIES]?.get?.parameters ?? []) as Parameter[];
  return [
    ...records.map(([name, { properties = {} }]) => ({
      at: [...SCHEMAS, name, "required"],
      value: Object.keys(properties),
    })),
    {
      at: [...SCHEMAS, "RecordsOut", "properties", "data", "items", "anyOf"],
      value: records.map(([name]) => ({ $ref: `#/components/schemas/${name}` })),
    },
    {
      at: ["paths", "/v1/feeds/{code}/records", "parameters"],
      value: ["code", ...filtersOf(document).map(([name]) => name)].map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
    },
    { at: [...SCHEMAS, "EventType", "enum"], value: types },
    { at: [...SCHEMAS, "DeliveredType", "enum"], value: [...types, "carrier_change"] },
    {
      at: [
        "paths",
        DELIVERIES,
        "get",
        "parameters",
        ofDeliveries.findIndex(({ name }) => name === "type"),
        "schema",
        "enum",
      ],
      value: [...types, "test", "correction", "carrier_change"],
    },
    {
      at: [...SCHEMAS, "NewKeyIn", "properties", "scopes", "items", "examples"],
      value: Object.keys(document["x-scopes"]),
    },
    {
      at: [...SCHEMAS, "Problem", "properties", "code", "examples"],
      value: Object.keys(document["x-problems"]),
    },
  ];
}

const DELIVERIES = "/v1/webhooks/{endpoint_id}/deliveries";

const SCHEMAS = ["components", "schemas"];

const recordSchemas = ({ components }: Document) =>
  Object.entries(components.schemas).filter(([, schema]) => schema["x-feed"] !== undefined);

const filtersOf = ({ components }: Document) =>
  Object.entries(components.parameters).filter(([, parameter]) => parameter["x-filter"] === true);

/** The tables of filters and of event types in descriptions. Rows keep their order, and new ones follow. */
function tables(document: Document): DerivedPart[] {
  const feedsOf = new Map(filtersOf(document).map(([name, filter]) => [name, filter["x-feeds"].join(", ")]));
  const events = Object.entries(document["x-events"]);
  return [
    tablePart(document, "/v1/feeds/{code}/records", (rows) => {
      const shown = new Set(rows.flatMap(([names = ""]) => names.split(", ")));
      const rest = rows.filter(([names = ""]) => names.split(", ").some((name) => !feedsOf.has(name)));
      return [
        ...rows
          .filter((row) => !rest.includes(row))
          .map(([names = ""]) => [names, feedsOf.get(names.split(", ")[0] ?? "")]),
        ...[...feedsOf].filter(([name]) => !shown.has(name)),
        ...rest,
      ];
    }),
    tablePart(document, "/v1/events", (rows) =>
      events.map(([type, { label, feeds }]) => {
        const meaning = rows.find(([shown]) => shown === type)?.[1] ?? label;
        return [type, meaning, feeds.join(", ")];
      }),
    ),
  ];
}

function tablePart(
  { paths }: Document,
  path: string,
  rowsFrom: (rows: string[][]) => (string | undefined)[][],
): DerivedPart {
  const description = paths[path]?.get?.description ?? "";
  const value = description.replace(/(?<=^\|[-|]+\|\n)(?:\|.*\|\n)+/m, (rows) =>
    rowsFrom(
      rows
        .trimEnd()
        .split("\n")
        .map((row) => row.slice(2, -2).split(" | ")),
    )
      .map((cells) => `| ${cells.join(" | ")} |\n`)
      .join(""),
  );
  return { at: ["paths", path, "get", "description"], value };
}

/** Filters and columns in the example of the list of feeds. */
function feedExamples(document: Document): DerivedPart[] {
  return examplesOf(document, "/v1/feeds").flatMap(([, name, value]) =>
    (value as { data: { code: string }[] }).data.flatMap(({ code }, index) => {
      const allowed = filtersOf(document).filter(([, filter]) => filter["x-feeds"].includes(code));
      const at = ["components", "examples", name, "value", "data", index];
      const columns = Object.entries(columnsOf(document, code));
      const changing = columns.filter(([, column]) => column["x-volatile"] !== undefined);
      return [
        { at: [...at, "allowed_filters"], value: allowed.map(([filter]) => filter) },
        { at: [...at, "columns"], value: columns.map(([column]) => column) },
        { at: [...at, "volatile_columns"], value: changing.map(([column]) => column) },
      ];
    }),
  );
}

/** The records of each feed's page, with all its columns, and the same records in the files of exports. */
function recordExamples(document: Document): DerivedPart[] {
  const pages = examplesOf(document, "/v1/feeds/{code}/records").filter(
    ([code]) => code in document["x-feeds"],
  );
  return pages.flatMap(([code, page, value]) => {
    const columns = columnsOf(document, code);
    const records = (value as { data: Members[] }).data.map((record) => completed(record, columns));
    const files = (format: string, text: () => string) =>
      examplesOf(document, `/v1/feeds/{code}/export.${format}`)
        .filter(([feed]) => feed === code)
        .map(([, file]) => ({ at: ["components", "examples", file, "value"], value: text() }));
    const licence = document.components.headers["X-Licence-Reference"]?.example;
    return [
      ...records.map((record, index) => ({
        at: ["components", "examples", page, "value", "data", index],
        value: record,
      })),
      ...files("csv", () =>
        [
          [...Object.keys(columns), "licence_ref"],
          ...records.map((record) => [...Object.values(record), licence]),
        ]
          .map((cells) => `${cells.map((cell) => [cell ?? ""].flat().join(";")).join(",")}\r\n`)
          .join(""),
      ),
      ...files("ndjson", () => records.map((record) => `${JSON.stringify(record)}\n`).join("")),
    ];
  });
}

/** A record with all columns of its feed: a missing one gets the example of the column, or null. */
const completed = (record: Members, columns: Record<string, Schema>): Members =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { examples = [null] }]) => [
      name,
      name in record ? record[name] : examples[0],
    ]),
  );

const columnsOf = (document: Document, code: string): Record<string, Schema> =>
  recordSchemas(document).find(([, schema]) => schema["x-feed"] === code)?.[1].properties ?? {};

/** The examples of a path's `GET` that are named in its components: key, name and value. */
function examplesOf(document: Document, path: string): [key: string, name: string, value: unknown][] {
  const { content = {} } = resolve(document, document.paths[path]?.get?.responses[200] ?? {});
  return Object.values(content as Record<string, { examples: Record<string, Reference> }>).flatMap(
    ({ examples }) =>
      Object.entries(examples).map(([key, example]): [string, string, unknown] => {
        const name = example.$ref.split("/").at(-1) ?? "";
        return [key, name, document.components.examples[name]?.value];
      }),
  );
}

/** What an example of a problem has from its code. */
function problemExamples(document: Document): DerivedPart[] {
  return Object.entries(document.components.examples).flatMap(([name, { value }]) => {
    const { code, detail } = (value ?? {}) as { code?: string; detail?: string };
    const about = document["x-problems"][code ?? ""];
    if (about === undefined) return [];
    const type = `${document.servers[0]?.url}/problems/${code}`;
    const problem = { type, title: about.title, status: about.status, detail, code };
    return [{ at: ["components", "examples", name, "value"], value: problem }];
  });
}
