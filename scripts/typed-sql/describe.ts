import type pg from "pg";
import { readTree, TreeNode } from "./parse-tree.ts";

/** The server's description of a statement that is not run. */
export interface Description {
  /** Type numbers of $1, $2, … */
  parameterTypes: number[];
  columns: { name: string; type: number }[];
  /** The server's parse tree of the statement. */
  query: TreeNode;
}

/** The first version whose parse trees name the outer joins that make a column null. */
const FIRST_VERSION = 16;

/** Throws if the server is too old to report which columns may be null. */
export async function requireParseTrees(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int / 10000 AS version",
  );
  const version = rows[0]?.version ?? 0;
  if (version >= FIRST_VERSION) return;
  throw new Error(`Typed SQL is generated with PostgreSQL ${FIRST_VERSION} or newer; this is ${version}.`);
}

/** Makes the session report the parse tree of each statement. */
export const tellParseTrees = (client: pg.Client): Promise<unknown> =>
  client.query("SET debug_print_parse = on; SET debug_pretty_print = off; SET client_min_messages = log");

/** Describes a statement; throws the server's own error if it is invalid. */
export async function describeStatement(client: pg.Client, text: string): Promise<Description> {
  const trees: string[] = [];
  const keep = ({ message, detail }: { message: string | undefined; detail?: string | undefined }) => {
    if (message?.startsWith("parse tree") && detail) trees.push(detail);
  };
  client.on("notice", keep);
  try {
    const { parameterTypes, columns } = await new Promise<Omit<Description, "query">>((resolve, reject) =>
      client.query(new Describe(text, resolve, reject)),
    );
    const query = readTree(trees.at(-1) ?? "");
    if (!(query instanceof TreeNode)) throw new Error("The server reported no parse tree.");
    return { parameterTypes, columns, query };
  } finally {
    client.off("notice", keep);
  }
}

interface Connection {
  parse(query: { text: string; name: string; types: number[] }, more: boolean): void;
  describe(what: { type: "S"; name: string }, more: boolean): void;
  sync(): void;
  once(event: "parameterDescription", listener: (message: { dataTypeIDs: number[] }) => void): void;
}

/** Parse, Describe and Sync of the extended protocol, as a query object for pg. */
class Describe {
  private readonly text: string;
  private readonly resolve: (description: Omit<Description, "query">) => void;
  private readonly reject: (error: Error) => void;
  private parameterTypes: number[] = [];
  private columns: Description["columns"] = [];

  constructor(text: string, resolve: Describe["resolve"], reject: Describe["reject"]) {
    this.text = text;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Connection;
    wire.once("parameterDescription", ({ dataTypeIDs }) => {
      this.parameterTypes = dataTypeIDs;
    });
    wire.parse({ text: this.text, name: "", types: [] }, true);
    wire.describe({ type: "S", name: "" }, true);
    wire.sync();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
  }

  handleReadyForQuery(): void {
    this.resolve({ parameterTypes: this.parameterTypes, columns: this.columns });
  }

  // pg forgets the failed query before the server is ready again, so nothing else is called for it.
  handleError(error: Error): void {
    this.reject(error);
  }
}
