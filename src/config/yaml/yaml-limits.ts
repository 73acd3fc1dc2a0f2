/** Limits on a file, so that no input can hang or exhaust the reader. All of them are counts; none is a time. */
export const YAML_LIMITS = {
  /** Bytes of one file. */
  fileBytes: 16 * 1024 * 1024,
  /** Words, marks and gaps of one file: enough for about 28,000 rules, with less than a gigabyte of memory. */
  lexemes: 2_000_000,
  /** Nesting of collections, with aliases unfolded. */
  depth: 64,
  /** Values that aliases add to one file when unfolded. */
  aliasedValues: 100_000,
  /** Errors of the YAML parser that are looked at; the others follow from these, or are found once these are mended. */
  syntaxErrors: 200,
  /** Findings of the YAML parser that are reported for one file. */
  syntaxFindings: 20,
} as const;
