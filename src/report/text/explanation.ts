import type { Clause, RequestWay } from '../../model/index.ts';
import { EMPTY_LIST } from '../../model/index.ts';
import { groupBy } from '../../data/index.ts';
import type { Line, Look } from '../layout.ts';
import { BLANK, hanging, layOut, line, span } from '../layout.ts';
import { verdictLines, endLines } from '../lines/trace-lines.ts';

const LIVE_HINT: Line = hanging(
  2,
  4,
  span('dim', 'rulewright explain --live adds the live rules that these files do not have.'),
);

/** Formats what each rule does with a request and why, how the request ends, and what rules leave behind. */
export function explanationText(way: RequestWay, look: Look): string {
  return layOut(
    [
      line(0, span('heading', `${way.method} ${way.url}`)),
      BLANK,
      ...verdictLines(way.verdicts, { indent: 0, brief: false }),
      ...(way.verdicts.length === 0 ? [line(0, 'This request meets no rule.')] : []),
      BLANK,
      ...endLines(way, 0, { brief: false }),
      ...(way.source === 'live' || way.certain ? [] : [LIVE_HINT]),
      ...assumedLines(way),
    ],
    look,
  );
}

/** The flags of `explain` for fields and lists; all other fields are set with `--field`. */
const FLAGS: readonly (readonly [field: RegExp, flag: string])[] = [
  [/\bip\.src\b(?!\.)/u, '--ip'],
  [/\bcf\.zone\.plan\b/u, '--plan'],
  [
    /\bhttp\.(?:user_agent|referer|x_forwarded_for|cookie|request\.(?:cookies|accepted_languages))\b/u,
    '--header',
  ],
  [/\bhttp\.request\.body\b/u, '--body'],
  [/^\$/u, '--list'],
];

/** Returns a line about the flags that set values which were assumed; nothing when none were. */
function assumedLines({ verdicts }: RequestWay): readonly Line[] {
  const names = new Set(verdicts.flatMap(({ clause }) => (clause === null ? [] : assumedIn(clause))));
  verdicts.flatMap(listsIn).forEach((list) => names.add(list));
  const byFlag = groupBy(names, (name) => FLAGS.find(([field]) => field.test(name))?.[1] ?? '--field');
  const ways = [...byFlag].map(([flag, fields]) => `${fields.join(', ')} with ${flag}`);
  return names.size === 0
    ? []
    : [hanging(2, 4, span('dim', `Values that were assumed can be given: ${ways.join('; ')}.`))];
}

/** Returns the lists that were assumed to be empty. */
function listsIn({ assumes }: RequestWay['verdicts'][number]): readonly string[] {
  return assumes.flatMap((text) => (text.startsWith(EMPTY_LIST) ? [text.slice(EMPTY_LIST.length)] : []));
}

function assumedIn({ clauses, observed }: Clause): readonly string[] {
  return [...observed.flatMap(({ name, assumed }) => (assumed ? [name] : [])), ...clauses.flatMap(assumedIn)];
}
