// The floors of the house: imports go down, never up and never sideways.
const floors = [
  ["cli"],
  ["pages"],
  ["api"],
  ["synthetic"],
  ["importer", "webhooks", "carriers"],
  ["feeds", "events"],
  ["suppression"],
  ["accounts", "registry"],
  ["platform"],
  ["generated"],
];

const roomRules = floors.flatMap((rooms, floor) =>
  rooms.map((room) => {
    const below = floors.slice(floor + 1).flat();
    return {
      name: `${room}-imports-down`,
      severity: "error",
      comment: `src/${room} may import its own files and the floors below it.`,
      from: { path: `^src/${room}/` },
      to: { path: "^src/", pathNot: `^src/(${[room, ...below].join("|")})/` },
    };
  }),
);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    // What is generated takes the types of caller and context from the rooms; a type is no dependency at run time.
    ...roomRules.filter((rule) => rule.name !== "generated-imports-down"),
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "one-file-knows-openapi-backend",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/api/contract/contract\\.ts$" },
      to: { path: "node_modules/openapi-backend" },
    },
    {
      name: "doors-do-not-touch-the-database",
      severity: "error",
      comment: "The doors translate; SQL belongs to the rooms.",
      from: { path: "^src/(api|cli|pages)/" },
      to: { path: "node_modules/(pg|@prisma)|^src/generated/prisma" },
    },
    {
      name: "the-program-does-not-know-its-tests",
      severity: "error",
      from: { path: "^(src|scripts)/" },
      to: { path: "^test/" },
    },
    {
      name: "no-development-packages-at-run-time",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    exclude: { path: "^src/generated/prisma" },
  },
};
