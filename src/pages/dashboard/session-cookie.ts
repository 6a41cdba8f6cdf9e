import { SESSION_SECONDS } from "../../accounts/sessions/sessions.ts";
import { sessionCookie } from "../frame/session-guard.ts";

export const {
  read: readSessionCookie,
  set: setSessionCookie,
  clear: clearSessionCookie,
} = sessionCookie("tdf_session", SESSION_SECONDS);
