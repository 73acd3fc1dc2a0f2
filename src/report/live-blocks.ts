import type {
  FieldChange,
  ConcurrentWrite,
  LiveDifference,
  LiveRuleName,
  ServiceRefusal,
} from '../model/index.ts';
import { describedName } from '../model/index.ts';
import { counted } from '../text/index.ts';
import { changeRows } from './field-rows.ts';
import { momentText, causeSpans } from './print-value.ts';
import { MARKS, signOf } from './perspective.ts';
import type { Block, EntryMark, FieldsBlock } from './tree.ts';
import { CHANGE_SIDES, entry, messageBlocks, paragraph, span } from './tree.ts';

/** Returns the live changes between two versions: an entry for each rule, with its fields below. */
export function liveDifferenceBlocks(difference: LiveDifference): readonly Block[] {
  const { add, patch, move, delete: gone } = MARKS.plan;
  if (difference.to === null) {
    const rules = difference.removed.length;
    const size = rules === 0 ? '' : `, with ${counted(rules, 'rule')}`;
    return [entry(signOf(gone), [`the ruleset was deleted live${size}`])];
  }
  const named = (mark: EntryMark, rules: readonly LiveRuleName[], what: string): readonly Block[] =>
    rules.map((rule) => entry(signOf(mark), [span('name', nameOf(rule)), `  ${what}`]));
  const { description } = difference;
  return [
    ...named(add, difference.added, 'added live'),
    ...named(gone, difference.removed, 'removed live'),
    ...difference.changed.map((rule) =>
      entry(signOf(patch), [span('name', nameOf(rule)), '  changed live'], {
        body: [changedFields(rule.fields)],
      }),
    ),
    ...named(move, difference.moved, 'moved live'),
    ...(description === undefined
      ? []
      : [changedFields([{ kind: 'changed', path: '/description', ...description }])]),
    ...(difference.complete
      ? []
      : [
          paragraph(
            span('dim', 'the version of the plan is gone: changed contents of other rules are not shown'),
          ),
        ]),
  ];
}

/** Returns changed fields. */
export function changedFields(fields: readonly FieldChange[]): FieldsBlock {
  return { kind: 'fields', rows: changeRows(fields), sides: CHANGE_SIDES };
}

/** What an outcome says about the writes of other people. */
interface BesideWrites {
  readonly others?: readonly ConcurrentWrite[];
  readonly broughtBack?: readonly LiveRuleName[];
}

/** Returns what somebody else wrote during the run, version by version, and which of it was restored. */
export function foreignBlocks({ others = [], broughtBack = [] }: BesideWrites): readonly Block[] {
  return [
    ...others.map((other) =>
      entry(
        undefined,
        [span('strong', `version ${other.version}`), ` of somebody else, ${momentText(other.lastUpdated)}`],
        {
          parts: true,
          body: [
            ...liveDifferenceBlocks(other.difference),
            ...other.lost.map((rule) =>
              entry(undefined, [span('error', 'undone by this write: '), span('name', nameOf(rule))]),
            ),
            ...(other.atRisk ?? []).map((rule) =>
              entry(undefined, [
                span('warning', 'undone if our write still lands: '),
                span('name', nameOf(rule)),
              ]),
            ),
          ],
        },
      ),
    ),
    ...broughtBack.map((rule) =>
      entry(undefined, [span('good', 'brought back: '), span('name', nameOf(rule))], {
        facts: [[span('dim', rule.id)]],
      }),
    ),
  ];
}

function nameOf({ ref, description = '' }: LiveRuleName): string {
  return describedName(ref, description);
}

/** Returns what the service refuses, each with the rule and its place in the files. */
export function refusalBlocks(refusals: readonly ServiceRefusal[]): readonly Block[] {
  return refusals.flatMap(
    ({ rule, description = '', cause, message: text, code, pointer }): readonly Block[] => {
      const about = [
        ...(code === undefined ? [] : [`code ${code}`]),
        ...(pointer === undefined || pointer === '' ? [] : [`at ${pointer}`]),
      ].join(', ');
      const said: readonly Block[] = [
        ...messageBlocks(text),
        ...(about === '' ? [] : [paragraph(span('dim', about))]),
      ];
      return rule === undefined
        ? said
        : [
            entry(undefined, [span('name', describedName(rule, description))], {
              parts: true,
              facts: cause === undefined ? [] : [causeSpans(cause)],
              body: said,
            }),
          ];
    },
  );
}
