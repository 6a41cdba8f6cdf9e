// Words of legal forms and of public bodies, in capitals and without dots.
const FORMS =
  "LLC|L L C|LC|LLP|L L P|LLLP|PLLC|LP|LTD|L T D|LIMITED|PLC|PC|PA|INC|INCORPORATED|CORP|CORPORATION|" +
  "CO|COMPANY|TRUST|FOUNDATION|ASSOCIATION|ASSN|PARTNERSHIP|COOPERATIVE|CO OP|COOP|AUTHORITY|" +
  "DEPARTMENT|DISTRICT|UNIVERSITY|COLLEGE|CHURCH|CITY OF|COUNTY OF|TOWN OF|STATE OF";
const LEGAL_FORM = new RegExp(`(?:^| )(?:${FORMS})(?: |$)`);
// L.P. or P.C. At the begin of a name they are a person's first names.
const DOTTED_LETTERS = /(?<=[^A-Z0-9.])(?:[A-Z]\.)+[A-Z](?![A-Z0-9])/g;

/** Whether a name has a word of a legal form or a public body, which the name of a person does not have. */
export const hasLegalForm = (name: string): boolean =>
  LEGAL_FORM.test(
    name
      .toUpperCase()
      .replace(DOTTED_LETTERS, (letters) => letters.replaceAll(".", ""))
      .replace(/[^A-Z0-9]+/g, " ")
      .trim(),
  );
