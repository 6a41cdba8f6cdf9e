/** Whether a text is one line that a screen, a log or a mail may show: no control characters, nothing that turns it round. */
export const isPlainText = (text: string): boolean =>
  text.isWellFormed() && !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text);
