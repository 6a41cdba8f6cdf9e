// Who may do what in the dashboard of an account. The dashboard's routes name an action of this table, and a test tries each
// role with each of them.

/** The roles of people in an account, the one that may do most first. */
export const ROLES = ["owner", "member", "reader"] as const;
export type Role = (typeof ROLES)[number];

/** What each role is for, in one sentence. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: "Does everything, decides who is in the account, and gets the account's mails.",
  member: "Works with keys, endpoints, watchlists and downloads.",
  reader: "Looks at everything and changes nothing.",
};

/** `an owner`, `a member` */
export const withArticle = (role: Role): string => `${role === "owner" ? "an" : "a"} ${role}`;

/** `A member works with keys, …` */
export const roleSentence = (role: Role): string =>
  `${withArticle(role).replace(/^a/, "A")} ${ROLE_WORDS[role].charAt(0).toLowerCase()}${ROLE_WORDS[role].slice(1)}`;

const EVERYBODY = ROLES;
const WORKING = ["owner", "member"] as const;
const OWNERS = ["owner"] as const;

/** Actions, as they go on after "may", with the roles that may do them. Looking is no action: every role may look. */
export const ALLOWED = {
  "sign out": EVERYBODY,
  "switch to another account": EVERYBODY,
  "leave the account": EVERYBODY,
  "download files": WORKING,
  "save views": WORKING,
  "delete views": WORKING,
  "make keys": WORKING,
  "rotate keys": WORKING,
  "revoke keys": WORKING,
  "register endpoints": WORKING,
  "change endpoints": WORKING,
  "delete endpoints": WORKING,
  "send deliveries": WORKING,
  "make watchlists": WORKING,
  "change watchlists": WORKING,
  "delete watchlists": WORKING,
  "switch the daily mail": WORKING,
  "invite people": OWNERS,
  "change roles": OWNERS,
  "remove people": OWNERS,
} as const satisfies Record<string, readonly Role[]>;

export type DashboardAction = keyof typeof ALLOWED;

/** Whether a role may do an action. */
export const mayDo = (role: Role, action: DashboardAction): boolean =>
  (ALLOWED[action] as readonly Role[]).includes(role);

/** The roles that may do an action: `owners and members`. */
export const whoMay = (action: DashboardAction): string =>
  ALLOWED[action].map((role) => `${role}s`).join(" and ");

/** Who may do an action, as a sentence without its end. */
export const onlyThey = (action: DashboardAction): string =>
  `Only ${whoMay(action)} of the account may ${action}`;

/** What a page offers to the roles that may do an action; the others are told who may. */
export const offered = <Offer>(role: Role, action: DashboardAction, offer: Offer): Offer | string =>
  mayDo(role, action) ? offer : `${onlyThey(action)}.`;

/** The role that a text names; null when it names none. */
export const roleOf = (text: string): Role | null => ROLES.find((role) => role === text) ?? null;
