// PostgreSQL's own text form of a parse tree, as in the log of debug_print_parse and in pg_rewrite for a view.

/** A node, a list, a word, or null for `<>`. */
export type Tree = TreeNode | Tree[] | string | null;

/** One `{TAG :field value …}`. */
export class TreeNode {
  readonly tag: string;
  private readonly fields: ReadonlyMap<string, Tree>;

  constructor(tag: string, fields: ReadonlyMap<string, Tree>) {
    this.tag = tag;
    this.fields = fields;
  }

  /** A field with one node; null if it is empty. */
  node(name: string): TreeNode | null {
    const value = this.fields.get(name);
    return value instanceof TreeNode ? value : null;
  }

  /** The nodes of a field with a list of them. */
  nodes(name: string): TreeNode[] {
    return nodesOf(this.fields.get(name));
  }

  /** The lists of a field with lists of nodes. */
  lists(name: string): TreeNode[][] {
    const value = this.fields.get(name);
    return Array.isArray(value) ? value.map(nodesOf) : [];
  }

  /** The words of a list, such as the members of a set of numbers. */
  words(name: string): string[] {
    const value = this.fields.get(name);
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  }

  /** A field with one word; empty if there is none. */
  word(name: string): string {
    const value = this.fields.get(name);
    return typeof value === "string" ? value : "";
  }

  number(name: string): number {
    return Number(this.word(name) || 0);
  }

  /** A flag that is set. */
  is(name: string): boolean {
    return this.word(name) === "true";
  }
}

const nodesOf = (value: Tree | undefined): TreeNode[] =>
  Array.isArray(value) ? value.filter((item) => item instanceof TreeNode) : [];

/** The values of a query's commandType. */
export const COMMAND = { select: 1, update: 2, merge: 5 } as const;

/** Reads the text of one node or of a list of nodes. */
export function readTree(text: string): Tree {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}()]|(?:\\.|[^\s{}()\\])+/gs) ?? [];
  let next = 0;
  const read = (): Tree => {
    const token = tokens[next++] ?? "";
    if (token === "{") return readNode();
    if (token === "(") return readList();
    return token === "<>" ? null : wordOf(token);
  };
  const readNode = (): TreeNode => {
    const tag = tokens[next++] ?? "";
    const fields = new Map<string, Tree>();
    while (next < tokens.length && tokens[next] !== "}") {
      const name = (tokens[next++] ?? "").slice(1);
      fields.set(name, read());
      // A constant's value has several words, which are not needed.
      while (next < tokens.length && tokens[next] !== "}" && !tokens[next]?.startsWith(":")) next++;
    }
    next++;
    return new TreeNode(tag, fields);
  };
  const readList = (): Tree[] => {
    // Lists of numbers begin with a letter for their kind.
    if (/^[iobx]$/.test(tokens[next] ?? "")) next++;
    const items: Tree[] = [];
    while (next < tokens.length && tokens[next] !== ")") items.push(read());
    next++;
    return items;
  };
  return read();
}

const wordOf = (token: string): string =>
  (token.startsWith('"') ? token.slice(1, -1) : token).replace(/\\(.)/gs, "$1");
