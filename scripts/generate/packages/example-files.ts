import { globSync } from "node:fs";
import path from "node:path";

/** The programs among the examples. Certificates, inboxes and packages that somebody left there are not handed out. */
export const exampleFiles = (root: string): string[] =>
  globSync("*/{*.ts,*.py,package.json}", { cwd: path.join(root, "examples") })
    .map((name) => name.split(path.sep).join("/"))
    .sort();
