/** The content of a character class: characters that look like a blank or are invisible, but are not white space to YAML and expressions. */
export const ODD_BLANKS = String.raw`\u00a0\u2000-\u200b\u202f\u2060\u3000\ufeff`;
