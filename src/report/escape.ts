/**
 * Characters that a terminal or a reader's eye must never get raw: control characters (ANSI escapes begin with one), formatting characters
 * (bidi controls, zero widths, tags), line and paragraph separators, halves of surrogate pairs, what is not seen at all (fillers, the blank
 * Braille pattern), and blanks that are not the blank. What gives a sign its colours (U+FE0F) may follow one.
 */
const UNSAFE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?! |\u3000)\p{Zs}|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic})\ufe0f/gu;

/** Texts in which nothing is unsafe but markers of commands: nearly all. */
const PLAIN = /^[ -~]*$/;

/** Markers of commands that build services obey anywhere in a line: GitHub, Azure Pipelines, TeamCity. */
const COMMAND = /##(?=\[|vso\[|teamcity\[)/g;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
]);

/**
 * Untrusted text on one line: from files, from the service, from the command line. What could steer a
 * terminal or reorder a line is spelled out, as `\n` or `\u{1b}`; so are the command markers of build
 * services, which act anywhere in a line.
 */
export function escapeText(text: string): string {
  const seen = PLAIN.test(text) ? text : text.replaceAll(UNSAFE, spelledOut);
  return seen.replaceAll(COMMAND, String.raw`#\u{23}`);
}

function spelledOut(char: string): string {
  return NAMED.get(char) ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The lines of a message of ours that may hold untrusted text: breaks stay, everything else is escaped. */
export function escapeLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => escapeText(line.replaceAll('\t', '  ')));
}

/**
 * A line of a file with every unsafe character replaced by one of the same length in UTF-16 units, so
 * that columns still fit. A tab becomes one blank.
 */
export function maskLine(line: string): string {
  return line
    .replaceAll('\t', ' ')
    .replaceAll(UNSAFE, (char) => '\u{fffd}'.repeat(char.length))
    .replaceAll(COMMAND, '#\u{fffd}');
}

/**
 * Keeps a finished line from being read as a command by a build service: GitHub Actions obeys lines
 * that begin with `::` behind any white space.
 */
export function disarmLine(line: string): string {
  return line.replace(/^(\s*)::/, String.raw`$1\::`);
}

/**
 * JSON text in which no character can steer a terminal or reorder a line. JSON itself spells out only the
 * control characters below the blank; outside of strings there are none but its own line breaks.
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
