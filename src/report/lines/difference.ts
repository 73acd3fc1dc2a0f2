import { counted } from '../../text/index.ts';
import { momentText } from '../moment.ts';
import { describedName } from '../../model/index.ts';
import type { FieldChange, ForeignWrite, LiveDifference, LiveRuleName } from '../../model/index.ts';
import { changeRows } from '../field-rows.ts';
import type { Line } from '../layout.ts';
import { line, span } from '../layout.ts';
import { PLAN, SYMBOLS } from '../telling.ts';
import { inlineValue } from '../value.ts';
import { fieldLines } from './rule-lines.ts';

/** Returns lines about the live changes between two versions: one for each rule, with its fields below. */
export function differenceLines(difference: LiveDifference, indent: number, width: number): readonly Line[] {
  const { add, patch, move, delete: gone } = SYMBOLS.plan;
  if (difference.to === null) {
    const rules = difference.removed.length;
    const size = rules === 0 ? '' : `, with ${counted(rules, 'rule')}`;
    return [line(indent, span(gone.style, `${gone.sign} `), `the ruleset was deleted live${size}`)];
  }
  const named = (sign: typeof add, rules: readonly LiveRuleName[], what: string): readonly Line[] =>
    rules.map((rule) =>
      line(indent, span(sign.style, `${sign.sign} `), span('strong', nameOf(rule)), `  ${what}`),
    );
  const { description } = difference;
  return [
    ...named(add, difference.added, 'added live'),
    ...named(gone, difference.removed, 'removed live'),
    ...difference.changed.flatMap((rule) => [
      line(indent, span(patch.style, `${patch.sign} `), span('strong', nameOf(rule)), '  changed live'),
      ...fieldsOf(rule.fields, indent + 4, width),
    ]),
    ...named(move, difference.moved, 'moved live'),
    ...(description === undefined
      ? []
      : [
          line(indent, `description  ${inlineValue(description.before)} → ${inlineValue(description.after)}`),
        ]),
    ...(difference.complete
      ? []
      : [
          line(
            indent,
            span('dim', 'the version of the plan is gone: changed contents of other rules are not shown'),
          ),
        ]),
  ];
}

/** Returns lines about what somebody else wrote during the run, version by version, and which of it was restored. */
export function foreignLines(
  { others = [], broughtBack = [] }: Beside,
  indent: number,
  width: number,
): readonly Line[] {
  const versions = others.flatMap((other) => [
    line(
      indent,
      span('strong', `version ${other.version}`),
      ` of somebody else, ${momentText(other.lastUpdated)}`,
    ),
    ...differenceLines(other.difference, indent + 2, width),
    ...other.lost.map((rule) =>
      line(indent + 2, span('error', 'undone by this write: '), span('strong', nameOf(rule))),
    ),
    ...(other.atRisk ?? []).map((rule) =>
      line(indent + 2, span('warning', 'undone if our write still lands: '), span('strong', nameOf(rule))),
    ),
  ]);
  const back = broughtBack.map((rule) =>
    line(indent, span('good', 'brought back: '), span('strong', nameOf(rule)), span('dim', `  ${rule.id}`)),
  );
  return [...versions, ...back];
}

function nameOf({ ref, description = '' }: LiveRuleName): string {
  return describedName(ref, description);
}

/** The members of an outcome about other people's writes. */
interface Beside {
  readonly others?: readonly ForeignWrite[];
  readonly broughtBack?: readonly LiveRuleName[];
}

/** Returns lines about changed fields. */
export function fieldsOf(fields: readonly FieldChange[], indent: number, width: number): readonly Line[] {
  return fieldLines(changeRows(fields), { indent, width, telling: PLAN });
}
