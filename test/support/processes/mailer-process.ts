// A mailer in a separate process, for tests that kill it. Arguments: database address, SMTP address and the fixed time
// of its clock. Ends with its standard input.
import { once } from "node:events";
import { configFrom } from "../../../src/platform/config/config.ts";
import { startMailer } from "../../../src/platform/mail/mailer.ts";
import { settableClock } from "../clock.ts";
import { openTestContext } from "../context.ts";

const [, , url = "", smtpUrl = "", now = ""] = process.argv;
const context = await openTestContext(url, settableClock(now));
const config = configFrom({ DATABASE_URL: url, SMTP_URL: smtpUrl, MAIL_FROM: "no-reply@feed.example" });
const mailer = startMailer({ ...context, config }, { pollEveryMs: 20 });
process.stdin.resume();
await once(process.stdin, "end");
await mailer.stop();
await context.db.close();
