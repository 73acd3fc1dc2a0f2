import { changedRule } from '../../model/change.ts';
import type { RuleChange } from '../../model/change.ts';
import { describedName } from '../../model/described-name.ts';
import type { Drift } from '../../model/drift.ts';
import type { Plan, Step } from '../../model/plan.ts';
import type { GuardFinding } from '../../model/guard.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { Scope } from '../../model/scope.ts';
import { failedScopes, plannedScopes } from '../../model/scope-plans.ts';
import { refusedGroups, untilReviewed } from '../allowing.ts';
import type { Alike } from '../alike-scopes.ts';
import {
  alikeNames,
  alikeReason,
  alikeText,
  groupAlike,
  groupFindings,
  scopeNames,
} from '../alike-scopes.ts';
import { counted } from '../count.ts';
import type { DriftFinding } from '../drift-findings.ts';
import { MOST_DRIFT_SHOWN, driftFindings } from '../drift-findings.ts';
import { groupFailed } from '../failed-scopes.ts';
import { findingsOf } from '../lines/finding.ts';
import { momentText } from '../moment.ts';
import { noteRule, warningNotes } from '../notes.ts';
import type { Scoped } from '../own-ids.ts';
import { saidOf } from '../own-ids.ts';
import type { Block, BoxLevel } from './block.ts';
import { code, prose, proseLines } from './escape-markdown.ts';
import { nameRows } from './block.ts';
import { causeLink } from './source-links.ts';
import type { SourceLinks } from './source-links.ts';

/** Members of a box that are shown; all of them stand in the details. */
const MOST_SHOWN = 20;

/** What a reviewer must not overlook in a plan: changed guards, refusals, weakened protection, other warnings, scopes not read. */
export function attentionBoxes(plan: Plan, links: SourceLinks): readonly Block[] {
  const findings = findingsOf(plan);
  const settings = findings.filter(({ kind }) => kind === 'settings');
  const others = findings.filter(({ kind }) => kind !== 'settings' && kind !== 'weakened');
  const refusing = findings.some(({ kind, effect }) => kind === 'weakened' && effect === 'refuse');
  return [
    ...box('caution', `Guards, ownership or ignores change. ${untilReviewed()}`, findingItems(settings)),
    ...refusedBoxes(
      others.filter(({ effect }) => effect === 'refuse'),
      untilReviewed(),
    ),
    ...box(
      refusing ? 'caution' : 'warning',
      refusing ? `Protection gets weaker. ${untilReviewed()}` : 'Protection gets weaker',
      weakeningItems(plan, links),
    ),
    ...box('warning', 'Attention', [
      ...findingItems(others.filter(({ effect }) => effect === 'warn')),
      ...warningItems(plan, links),
    ]),
    ...failedBoxes(plan),
  ];
}

/** What guards refuse: what nothing allows, then what can be allowed, by the title for that. */
export function refusedBoxes(
  findings: readonly (GuardFinding & Scoped)[],
  allowing: string,
  most?: number,
): readonly Block[] {
  return refusedGroups(findings, allowing).flatMap((group) =>
    box('caution', group.title, findingItems(group.findings), most),
  );
}

/** What notes warn of. */
export function warningBox(plan: Plan, links: SourceLinks): readonly Block[] {
  return box('warning', 'Attention', warningItems(plan, links));
}

/** What must not be overlooked in drift: by which rules live ends every request, then by which it protects less. */
export function driftBoxes(drift: Drift): readonly Block[] {
  return driftFindings(drift).flatMap(({ title, found }) =>
    box('warning', title, found.map(foundItem), MOST_DRIFT_SHOWN),
  );
}

function foundItem(alike: Alike<DriftFinding>): string {
  const {
    item: { step, rule, description = '', message, version, lastUpdated },
    scopes,
  } = alike;
  return [
    alike.rules.length === 0
      ? `${code(alikeText(describedName(rule, description), alike))}: ${prose(alikeText(message, alike))}`
      : rulesText(alike, message),
    code(alikeText(step, alike)),
    ...namesOf(scopes),
    ...(version === null || scopes.length > 0
      ? []
      : [`version ${code(version)}${lastUpdated === null ? '' : ` of ${code(momentText(lastUpdated))}`}`]),
  ].join(' · ');
}

/** Scopes of which nothing is known. */
export function failedBoxes({ scopes }: Pick<Plan, 'scopes'>): readonly Block[] {
  const failed = failedScopes(scopes);
  return box(
    'caution',
    `${counted(failed.length, 'scope')} of ${scopes.length} could not be planned`,
    groupFailed(failed).flatMap(({ scopes: members, error }) => {
      const rows = nameRows(members.map(({ kind, name }) => `${kind} ${code(name)}`));
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

/** Findings of guards, each thing once. */
function findingItems(findings: readonly (GuardFinding & Scoped)[]): readonly string[] {
  return groupFindings(findings).map((alike) => {
    const { kind, step = '', reason = '', message } = alike.item;
    return [
      alike.rules.length === 0
        ? `**${kind}**: ${proseLines(alikeText(message, alike))}`
        : `**${kind}** ${rulesText(alike, reason)} · ${code(alikeText(step, alike))}`,
      ...namesOf(alike.scopes),
    ].join(' · ');
  });
}

/** What is told of many rules of a ruleset at once. */
function rulesText(alike: Alike<Scoped>, reason: string): string {
  return `${proseLines(alikeReason(reason, alike))}: ${alikeNames(alike, code)}`;
}

/** The scopes of what is told once for many. */
function namesOf(scopes: readonly string[]): readonly string[] {
  return scopes.length === 0 ? [] : [scopeNames(scopes, code)];
}

/** The notes that warn; in the details they stand among those of their scopes. */
function warningItems(plan: Plan, links: SourceLinks): readonly string[] {
  const notes = warningNotes(plan).map((note) => ({ ...note, reason: note.message }));
  return groupFindings(notes).map((alike) => {
    const {
      item: { kind, step, message, cause },
      rules,
      scopes,
    } = alike;
    const rule = noteRule(alike.item);
    const about = rule === '' ? '' : `${code(alikeText(rule, alike))}: `;
    return [
      rules.length === 0
        ? `**${kind}**: ${about}${proseLines(alikeText(message, alike))}`
        : `**${kind}** ${rulesText(alike, message)}`,
      code(alikeText(step, alike)),
      ...namesOf(scopes),
      ...(cause === undefined || rules.length + scopes.length > 0 ? [] : [causeLink(cause, links)]),
    ].join(' · ');
  });
}

function weakeningItems(plan: Plan, links: SourceLinks): readonly string[] {
  const weakening = plannedScopes(plan.scopes).flatMap((scope) =>
    saidOf(
      scope,
      scope.steps.flatMap((step) => weakeningIn(step, { scope: scope.scope, links })),
    ),
  );
  const groups = groupAlike(
    weakening.map((item) => ({
      item,
      texts: [item.kind, item.rule, item.message, item.step],
      rule: { name: item.rule, about: `${item.kind} ${item.step}`, says: item.message },
    })),
  );
  return groups.map((alike) => {
    const {
      item: { kind, rule, message, step, link },
      rules,
      scopes,
    } = alike;
    return [
      `**${kind}** ${rules.length === 0 ? `${code(alikeText(rule, alike))}: ${prose(alikeText(message, alike))}` : rulesText(alike, message)}`,
      code(alikeText(step, alike)),
      ...namesOf(scopes),
      ...(rules.length + scopes.length > 0 ? [] : link),
    ].join(' · ');
  });
}

/** A change that weakens protection. */
interface Weakening {
  readonly kind: RuleChange['kind'];
  /** As people know it. */
  readonly rule: string;
  readonly message: string;
  readonly step: string;
  readonly link: readonly string[];
}

function weakeningIn(
  { changes, target }: Step,
  { scope, links }: { readonly scope: Scope; readonly links: SourceLinks },
): readonly Weakening[] {
  const step = `${scopeLabel(scope)}/${target.level === 'custom' ? target.name : target.phase}`;
  return changes.flatMap((change) => {
    const { kind, protection } = change;
    const link = kind === 'delete' ? [] : [causeLink(change.cause, links)];
    return protection.kind === 'weakening'
      ? [{ kind, rule: changedRule(change), message: protection.reason, step, link }]
      : [];
  });
}
