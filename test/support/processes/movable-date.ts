// Loaded before the program (`node --import`): SIGUSR2 sets its clock 40 days ahead, the next SIGUSR2 sets it back.
const AHEAD_MS = 40 * 86_400_000;

let aheadMs = 0;

const now = Date.now.bind(Date);

globalThis.Date = new Proxy(Date, {
  construct: (target, given, asked) =>
    Reflect.construct(target, given.length === 0 ? [now() + aheadMs] : given, asked),
  get: (target, name, receiver) =>
    name === "now" ? () => now() + aheadMs : Reflect.get(target, name, receiver),
});

process.on("SIGUSR2", () => {
  aheadMs = aheadMs === 0 ? AHEAD_MS : 0;
  process.stdout.write(`The time of day is ${new Date().toISOString()}.\n`);
});
