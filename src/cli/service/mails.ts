import { ACCESS_CONFIRMATION } from "../../accounts/access/request.ts";
import { WATCH_MAIL_COMPOSERS } from "../../carriers/watch-mail.ts";
import { CONFIRMATION } from "../../suppression/requests/confirmation.ts";

/** How every process sends mails: whose text is made late, and which keep no address once they are sent. */
export const MAILS = {
  composers: WATCH_MAIL_COMPOSERS,
  unkept: [CONFIRMATION, ACCESS_CONFIRMATION],
} as const;
