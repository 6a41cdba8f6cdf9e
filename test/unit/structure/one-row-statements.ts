import type { Statement } from "../../../scripts/typed-sql/statements.ts";

/** Statements of one row, or folders of them, that stay SQL, by the reason. */
const STAY_SQL: Readonly<Record<string, string>> = {
  "events/newestDetection": "events are read by SQL alone",
  "platform/installation": "is read for each page of changes and at each start",
  "platform/operator-log/writeLog": "is of a table that only SQL uses, since nobody changes its rows",
  "retention/renewClaim": "renews what claimTable claims, also at each start",
  "webhooks/dispatch": "belongs to the dispatcher, which is measured",
};

/** Says of each table of prisma/schema how to find one row. */
export interface Table {
  /** Its primary key and its unique columns. */
  keys: readonly (readonly string[])[];
  /** Whether Prisma's client has it. */
  isServed: boolean;
  /** The client's name of it, such as webhookEndpoint. */
  accessor: string;
}

const MODEL = /^model (?<model>\w+) \{(?<body>[\s\S]*?)^\}/gm;

/** The tables of files of prisma/schema. */
export function tablesOf(schemaFiles: Iterable<string>): Map<string, Table> {
  const models = [...schemaFiles].flatMap((text) => [...text.matchAll(MODEL)]);
  return new Map(
    models.map(({ groups: { model = "", body = "" } = {} }) => {
      const columnOf = (field: string) =>
        new RegExp(String.raw`^ {2}${field} .*?@map\("(\w+)"\)`, "m").exec(body)?.[1] ?? field;
      const single = [...body.matchAll(/^ {2}(\w+) .*@(?:id|unique)\b/gm)].map(([, field = ""]) => [field]);
      const several = [...body.matchAll(/@@(?:id|unique)\(\[([^\]]+)\]/g)].map(([, list = ""]) =>
        list.split(/,\s*/),
      );
      const isOnlyRow = /^ {2}id +Boolean +@id/m.test(body);
      const table = {
        keys: isOnlyRow ? [[]] : [...single, ...several].map((fields) => fields.map(columnOf)),
        isServed: !body.includes("@@ignore"),
        accessor: model.charAt(0).toLowerCase() + model.slice(1),
      };
      return [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? "", table];
    }),
  );
}

const COLUMN = String.raw`\w+(?: AS "?\w+"?)?`;
const COLUMNS = `${COLUMN}(?:, ${COLUMN})*`;
const VALUE = String.raw`(?:\$\d+(?:::\w+)?|'[^']*'|\d+|true|false|NULL)`;
const CONDITION = String.raw`(?:(?:NOT )?\w+|\w+ (?:[<>=]|<=|>=|<>) ${VALUE}|\w+ IS (?:NOT )?NULL)`;
const WHERE = `(?: WHERE (?<where>${CONDITION}(?: AND ${CONDITION})*))?`;
const PLAIN = new RegExp(
  `^(?:SELECT(?: ${COLUMNS})? FROM (?<read>\\w+)${WHERE}(?: LIMIT 1)?` +
    `|(?:DELETE FROM (?<deleted>\\w+)|UPDATE (?<updated>\\w+) SET \\w+ = ${VALUE}(?:, \\w+ = ${VALUE})*)` +
    `${WHERE.replace("<where>", "<changes>")}` +
    `|INSERT INTO (?<inserted>\\w+) \\([\\w, ]+\\) VALUES \\(${VALUE}(?:, ${VALUE})*\\))(?: RETURNING ${COLUMNS})?$`,
);

/** Whether a statement reads or writes one row of one table by its key, with plain values. */
export function isOfOneRow({ text }: Pick<Statement, "text">, tables: ReadonlyMap<string, Table>): boolean {
  const { read, deleted, updated, inserted, where, changes } =
    PLAIN.exec(text.replace(/\s+/g, " ").trim())?.groups ?? {};
  if (inserted !== undefined) return tables.has(inserted);
  const equal = [...(where ?? changes ?? "").matchAll(/(\w+) = /g)].map(([, column]) => column);
  const { keys = [] } = tables.get(read ?? deleted ?? updated ?? "") ?? {};
  return keys.some((key) => key.every((column) => equal.includes(column)));
}

/** Whether every call of a statement in these files of src is on a pool. */
function isOnPools({ folder, name }: Statement, files: ReadonlyMap<string, string>): boolean {
  const calls = [...files.values()]
    .filter((text) => text.includes(`generated/sql/${folder}.ts"`))
    .flatMap((text) => [...text.matchAll(new RegExp(String.raw`\bsql\.${name}\(\s*([\w.#]+)`, "g"))]);
  return calls.length > 0 && calls.every(([, client = ""]) => /\b(?:pool|bulkPool)$/.test(client));
}

/** The single rows that files of src read and write. */
export interface SingleRows {
  /** The calls of Prisma's client, by accessor. */
  byPrisma: string[];
  /** Statements on a pool. */
  bySql: string[];
  /** Statements among them that should be Prisma's, and reasons that no statement needs. */
  refusals: string[];
}

/** Counts the single rows that go through Prisma's client and through SQL. */
export function singleRowsOf(
  statements: Iterable<Statement>,
  files: ReadonlyMap<string, string>,
  tables: ReadonlyMap<string, Table>,
): SingleRows {
  const ofOneRow = [...statements].filter((each) => isOfOneRow(each, tables) && isOnPools(each, files));
  const staying = ({ path, folder }: Statement) => [path, folder].find((at) => at in STAY_SQL);
  const needed = ofOneRow.map(staying);
  return {
    byPrisma: [...files.values()].flatMap((text) =>
      [...text.matchAll(/\b(?:prisma|tx)\s*\.([a-z]\w*)\s*\.\w+\(/g)].map(([, accessor = ""]) => accessor),
    ),
    bySql: ofOneRow.map(({ path }) => path),
    refusals: [
      ...ofOneRow
        .filter((each) => staying(each) === undefined)
        .map(
          ({ path }) => `${path} is of one row on a pool: call Prisma's client, or say in STAY_SQL why not`,
        ),
      ...Object.keys(STAY_SQL)
        .filter((at) => !needed.includes(at))
        .map((at) => `STAY_SQL names ${at}, which needs no reason`),
    ],
  };
}
