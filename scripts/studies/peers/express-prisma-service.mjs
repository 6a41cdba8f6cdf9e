// The plain service to compare with: no keys, limits, quotas, counts or removals. It runs in the folder of the peers'
// packages.
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@prisma/client";
import express from "express";

const { DATABASE_URL: connectionString, HOST = "127.0.0.1", PORT = "0" } = process.env;
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString, max: 20 }) });
const app = express();

app.get("/ready", (_request, response) => {
  response.end();
});

app.get("/records", async (request, response) => {
  const page = Number(request.query.page ?? 1);
  const pageSize = Number(request.query.page_size ?? 100);
  const states = request.query.state?.split(",");
  const records = await prisma.record.findMany({
    where: states ? { state: { in: states } } : {},
    orderBy: { pos: "asc" },
    skip: (page - 1) * pageSize,
    take: pageSize,
  });
  response.json({ data: records, page, page_size: pageSize });
});

const ROWS_AT_ONCE = 5_000;

app.get("/records.csv", async (_request, response) => {
  response.type("text/csv");
  let after = 0;
  for (;;) {
    const records = await prisma.record.findMany({
      where: { pos: { gt: after } },
      orderBy: { pos: "asc" },
      take: ROWS_AT_ONCE,
    });
    if (after === 0 && records[0]) response.write(`${Object.keys(records[0]).join(",")}\n`);
    if (records.length === 0) break;
    const text = records.map((record) => `${Object.values(record).map(csvField).join(",")}\n`).join("");
    if (!response.write(text)) await new Promise((resolve) => response.once("drain", resolve));
    after = records.at(-1).pos;
  }
  response.end();
});

const csvField = (value) => {
  if (value === null) return "";
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

app.listen(Number(PORT), HOST);
