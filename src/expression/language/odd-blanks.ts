/** Characters that look like a blank, or like nothing, and are no blank to YAML and to expressions; for a class of a pattern. */
export const ODD_BLANKS = String.raw`\u00a0\u2000-\u200b\u202f\u2060\u3000\ufeff`;
