// The settings of every example here; ../README.md explains them.
const { TDF_KEY = "", TDF_URL = "http://127.0.0.1:3000" } = process.env;
if (TDF_KEY === "") {
  console.error("Set TDF_KEY to your key; the demo's is in .data/demo.key.");
  process.exit(1);
}

export const settings = { apiKey: TDF_KEY, baseUrl: TDF_URL };
