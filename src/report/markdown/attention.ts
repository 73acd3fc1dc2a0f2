import type { DriftChange } from '../../model/drift.ts';
import type { GuardFinding, Plan, PlannedScope } from '../../model/plan.ts';
import { scopeLabel } from '../../model/scope.ts';
import { untilReviewed } from '../allowing.ts';
import { counted } from '../count.ts';
import { groupFailed } from '../failed-scopes.ts';
import { findingsOf } from '../lines/finding.ts';
import { momentText } from '../moment.ts';
import { warningNotes } from '../notes.ts';
import type { Block, BoxLevel } from './block.ts';
import { code, prose, proseLines } from './escape-markdown.ts';
import { causeLink } from './source-links.ts';
import type { SourceLinks } from './source-links.ts';

/** Members of a box that are shown; all of them stand in the details. */
const MOST_SHOWN = 20;

/** Of a project that was never applied, every rule is missing live. */
const MOST_DRIFT_SHOWN = 10;

/** What a reviewer must not overlook in a plan: changed guards, refusals, weakened protection, other warnings, scopes not read. */
export function attentionBoxes(plan: Plan, links: SourceLinks): readonly Block[] {
  const findings = findingsOf(plan);
  const settings = findings.filter(({ kind }) => kind === 'settings');
  const others = findings.filter(({ kind }) => kind !== 'settings' && kind !== 'weakened');
  const refusing = findings.some(({ kind, effect }) => kind === 'weakened' && effect === 'refuse');
  return [
    ...box('caution', `Guards, ownership or ignores change. ${untilReviewed()}`, settings.map(findingItem)),
    ...box('caution', untilReviewed(), others.filter(({ effect }) => effect === 'refuse').map(findingItem)),
    ...box(
      refusing ? 'caution' : 'warning',
      refusing ? `Protection gets weaker. ${untilReviewed()}` : 'Protection gets weaker',
      weakeningItems(plan, links),
    ),
    ...box('warning', 'Take care', [
      ...others.filter(({ effect }) => effect === 'warn').map(findingItem),
      ...warningItems(plan, links),
    ]),
    ...failedBoxes(plan),
  ];
}

/** What notes warn of. */
export function warningBox(plan: Plan, links: SourceLinks): readonly Block[] {
  return box('warning', 'Take care', warningItems(plan, links));
}

/** Rules of which live protects less than the files. */
export function driftBox(changes: readonly DriftChange[]): readonly Block[] {
  return box(
    'warning',
    'Live protects less than the files, or may',
    changes
      .filter(({ severity }) => severity === 'weakening')
      .map(({ step, rule, reason = '', version, lastUpdated }) =>
        [
          `${code(rule)}: ${prose(reason)}`,
          code(step),
          ...(version === null
            ? []
            : [
                `version ${code(version)}${lastUpdated === null ? '' : ` of ${code(momentText(lastUpdated))}`}`,
              ]),
        ].join(' · '),
      ),
    MOST_DRIFT_SHOWN,
  );
}

/** Scopes of which nothing is known. */
export function failedBoxes({ scopes }: Pick<Plan, 'scopes'>): readonly Block[] {
  const failed = scopes.filter((scope) => scope.kind === 'failed');
  return box(
    'caution',
    `${counted(failed.length, 'scope')} of ${scopes.length} could not be planned`,
    groupFailed(failed).flatMap(({ scopes: members, error }) => {
      const names = members.map(({ kind, name }) => `${kind} ${code(name)}`);
      const rows = Array.from({ length: Math.ceil(names.length / MOST_SHOWN) }, (_, row) =>
        names.slice(row * MOST_SHOWN, (row + 1) * MOST_SHOWN).join(', '),
      );
      const why = `: ${proseLines(error.message)} (${code(error.code)})${error.hint === undefined ? '' : `<br>${proseLines(error.hint)}`}`;
      return rows.map((row, index) => (index === 0 ? `${row}${why}` : row));
    }),
    Number.POSITIVE_INFINITY,
  );
}

/** A box of items; nothing where there are none. */
export function box(
  level: BoxLevel,
  title: string,
  items: readonly string[],
  most = MOST_SHOWN,
): readonly Block[] {
  const more = items.length - most;
  return items.length === 0
    ? []
    : [
        {
          kind: 'box',
          level,
          title,
          items: more > 0 ? [...items.slice(0, most), `… and ${more} more, marked below`] : items,
        },
      ];
}

/** One finding of a guard. */
export function findingItem({ kind, message }: GuardFinding): string {
  return `**${kind}**: ${proseLines(message)}`;
}

/** The notes that warn; in the details they stand among those of their scopes. */
function warningItems(plan: Plan, links: SourceLinks): readonly string[] {
  return warningNotes(plan).map(({ kind, step, rule, message, cause }) =>
    [
      `**${kind}**: ${rule === '' ? '' : `${code(rule)}: `}${proseLines(message)}`,
      code(step),
      ...(cause === undefined ? [] : [causeLink(cause, links)]),
    ].join(' · '),
  );
}

function weakeningItems(plan: Plan, links: SourceLinks): readonly string[] {
  return plan.scopes
    .filter((scope): scope is PlannedScope => scope.kind === 'planned')
    .flatMap(({ scope, steps }) =>
      steps.flatMap(({ changes, target }) =>
        changes.flatMap((change) =>
          change.protection.kind === 'weakening'
            ? [
                [
                  `**${change.kind}** ${code(change.ref)}: ${prose(change.protection.reason)}`,
                  code(`${scopeLabel(scope)}/${target.level === 'custom' ? target.name : target.phase}`),
                  ...(change.kind === 'delete' ? [] : [causeLink(change.cause, links)]),
                ].join(' · '),
              ]
            : [],
        ),
      ),
    );
}
