// The operator's own terms and privacy notice.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase } from "../../support/database.ts";
import { startTestService } from "../../support/service.ts";

let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-terms-"));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function startWith(env: Record<string, string>) {
  return startTestService({ databaseUrl: database.url, env });
}

async function fileOf(content: string | Buffer): Promise<string> {
  const file = path.join(folder, "terms.md");
  await writeFile(file, content);
  return file;
}

it("are pages, and linked in the footer, only if there are such files", async () => {
  const file = await fileOf(
    "# Our terms\n\nSee [the plans](/pricing). <script>alert(1)</script>\n\n## Liability\n\n- None.\n",
  );
  const service = await startWith({ TERMS_FILE: file, PUBLIC_URL: "https://feeds.example.com/tdf" });
  try {
    const page = await (await service.get("/terms")).text();
    expect(page).toContain('<h1 id="our-terms">Our terms</h1>');
    expect(page).toContain('<a href="/tdf/pricing">the plans</a>');
    expect(page).not.toContain("<script>alert");
    const front = await (await service.get("/")).text();
    expect(front).toContain('<a href="/tdf/terms">Terms</a>');
    expect(front).not.toContain("Privacy");
    expect((await service.get("/privacy")).status).toBe(404);
  } finally {
    await service.stop();
  }
});

it("are refused at the start when they can't be read, are too large, or are no text", async () => {
  const refused = async (content: string | Buffer) => startWith({ PRIVACY_FILE: await fileOf(content) });
  await expect(refused("x".repeat(256 * 1024 + 1))).rejects.toThrow("is larger than 256 KB");
  await expect(refused(Buffer.from([0xff, 0xfe, 0x41]))).rejects.toThrow("is not UTF-8");
  await expect(startWith({ TERMS_FILE: path.join(folder, "none.md") })).rejects.toThrow(
    /^The file \S*none\.md of TERMS_FILE can't be read \(ENOENT\)\.$/,
  );
});
