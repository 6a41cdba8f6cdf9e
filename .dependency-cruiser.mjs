// What src and the packages may import. The tests of test/unit/structure show each rule refusing an example.

/** The layers of src, the highest first. A module may import its own files and those of lower layers. */
export const layers = [
  ["cli"],
  ["pages", "mcp"],
  ["api"],
  ["testmode"],
  ["retention", "watch"],
  ["importer", "webhooks", "carriers", "backup"],
  ["feeds", "events"],
  ["watchlists"],
  ["suppression"],
  ["accounts", "registry"],
  ["platform"],
  ["generated"],
];

/** Generated files that belong to the modules whose files they import. */
const OF_OTHERS = "^src/generated/(sql/|handlers\\.ts$)";

const layerRules = layers.flatMap((modules, layer) =>
  modules.map((module) => {
    const lower = layers.slice(layer + 1).flat();
    // Generated files take the types of caller and context from above. A type is no dependency at run time.
    const types = module === "generated" ? { dependencyTypesNot: ["type-only"] } : {};
    return {
      name: `${module}-imports-down`,
      severity: "error",
      comment: `src/${module} may import its own files and the layers below it.`,
      from: { path: `^src/${module}/`, pathNot: OF_OTHERS },
      to: { path: "^src/", pathNot: `^src/(${[module, ...lower].join("|")})/`, ...types },
    };
  }),
);

/** The statements of a module are its own: no other module runs them. */
const sqlRules = layers.flat().map((module) => ({
  name: `only-${module}-runs-its-sql`,
  severity: "error",
  comment: `The statements of src/${module} run in src/${module}. Others call its functions.`,
  from: { path: "^src/", pathNot: `^src/${module}/` },
  to: { path: `^src/generated/sql/${module}[./]` },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    ...sqlRules,
    {
      name: "generated-statements-run-by-one-file",
      severity: "error",
      from: { path: "^src/generated/sql/" },
      to: {
        path: "^src/",
        pathNot: "^src/platform/database/statement\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "no-module-without-a-layer",
      severity: "error",
      comment: "A new folder of src needs a place among the layers above.",
      from: { path: "^src/", pathNot: `^src/(${layers.flat().join("|")})/` },
      to: {},
    },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "the-api-has-the-handlers",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/api/" },
      to: { path: "^src/generated/handlers\\.ts$" },
    },
    {
      name: "one-folder-knows-openapi-backend",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/api/contract/" },
      to: { path: "node_modules/openapi-backend" },
    },
    {
      name: "opentelemetry-only-when-asked",
      severity: "error",
      comment: "One file knows it, and that file is loaded by startTracing alone.",
      from: { path: "^src/", pathNot: "^src/platform/tracing/otlp\\.ts$" },
      to: { path: "node_modules/@opentelemetry/" },
    },
    {
      name: "traces-are-loaded-late",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^src/platform/tracing/otlp\\.ts$", dynamic: false },
    },
    {
      name: "entry-points-do-not-touch-the-database",
      severity: "error",
      comment: "Entry points translate and call one module. Statements belong to the modules below.",
      from: { path: "^src/(api|cli|mcp|pages)/" },
      to: {
        path: "node_modules/(pg|pg-copy-streams|@prisma)/|^src/generated/prisma/|^src/platform/database/",
        // The words for a database that does not answer.
        pathNot: "^src/platform/database/(database-error|readiness)\\.ts$",
      },
    },
    {
      name: "one-file-reads-the-environment",
      severity: "error",
      comment: "Settings come from src/platform/config/config.ts.",
      from: { path: "^src/", pathNot: "^src/(platform/config/config\\.ts$|generated/)" },
      to: { path: "^(node:)?process$" },
    },
    {
      name: "the-program-does-not-know-its-tests",
      severity: "error",
      from: { path: "^(src|scripts)/" },
      to: { path: "^test/" },
    },
    {
      name: "the-program-does-not-use-its-sdk",
      severity: "error",
      from: { path: "^(src|scripts)/" },
      to: { path: "^packages/sdk" },
    },
    {
      name: "only-commands-make-registries-up",
      severity: "error",
      comment: "The service itself knows real files only. Benchmarks use the file of the commands.",
      from: { path: "^(src|scripts)/", pathNot: "^src/cli/registry/" },
      to: { path: "^packages/registry-generator/" },
    },
    {
      name: "a-package-needs-nothing-but-node",
      severity: "error",
      comment:
        "Customers install the SDK alone, and the maker of registries does not know the program that reads them.",
      from: { path: "^packages/([^/]+)/src/" },
      to: { pathNot: "^packages/$1/src/", dependencyTypesNot: ["core"] },
    },
    {
      name: "no-development-packages-at-run-time",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    doNotFollow: {
      path: "node_modules|^src/generated/prisma/|^packages/sdk/(src/generated/operations|dist)/",
    },
    // The script of the reference is another project's bundle.
    exclude: { path: "^packages/([^/]+)/(dist|test)/|^src/generated/scalar\\.js$" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@trucking-data-feed/source", "import", "require", "node", "default", "types"],
    },
  },
};
