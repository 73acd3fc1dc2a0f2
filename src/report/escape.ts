/**
 * Characters that must never reach a terminal or a reader unescaped: control characters (ANSI escapes begin with one), formatting
 * characters (bidi controls, zero-width characters, tags), line and paragraph separators, lone surrogates, invisible characters (fillers,
 * the blank Braille pattern), and blanks other than the space and U+3000. U+FE0F is allowed after a pictograph, which it turns into an emoji.
 */
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?! |\u3000)\p{Zs}|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic})\ufe0f/gu;

/** Texts without unsafe characters, except perhaps command markers: nearly all. */
const PLAIN = /^[ -~]*$/;

/** Command markers that CI services obey anywhere in a line: GitHub, Azure Pipelines, TeamCity. */
const COMMAND = /##(?=\[|vso\[|teamcity\[)/g;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
]);

/**
 * Escapes untrusted text (from files, the service or the command line) for one line. Characters that could control a terminal or reorder a
 * line are spelled out, as `\n` or `\u{1b}`; so are the command markers of CI services, which work anywhere in a line.
 */
export function escapeText(text: string): string {
  const seen = PLAIN.test(text) ? text : text.replaceAll(UNSAFE, spelledOut);
  return seen.replaceAll(COMMAND, String.raw`#\u{23}`);
}

function spelledOut(char: string): string {
  return NAMED.get(char) ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Returns the lines of a message of this program that may contain untrusted text: line breaks stay, everything else is escaped. */
export function escapeLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => escapeText(line.replaceAll('\t', '  ')));
}

/**
 * Replaces every unsafe character in a line of a file by one of the same length in UTF-16 units, so that columns stay valid. A tab becomes
 * one space.
 */
export function maskLine(line: string): string {
  return line
    .replaceAll('\t', ' ')
    .replaceAll(UNSAFE, (char) => '\u{fffd}'.repeat(char.length))
    .replaceAll(COMMAND, '#\u{fffd}');
}

/**
 * Keeps a finished line from being read as a command by a CI service: GitHub Actions obeys lines that begin with `::`, also after white
 * space.
 */
export function disarmLine(line: string): string {
  return line.replace(/^(\s*)::/, String.raw`$1\::`);
}

/**
 * Escapes JSON so that no character can control a terminal or reorder a line. JSON itself escapes only control characters below the space;
 * outside of strings it contains none but its own line breaks.
 */
export function escapeJson(json: string): string {
  return json
    .replaceAll(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, (char) =>
      char.split('').map(jsonEscape).join(''),
    )
    .replaceAll(COMMAND, String.raw`#\u0023`);
}

function jsonEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
