import { assertNever } from '../../data/index.ts';
import { scopeLabel } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import type { Block, Document, EntryBlock, EntryMark } from '../../report/index.ts';
import {
  entry,
  hintBlocks,
  legendEntry,
  padTo,
  paragraph,
  section,
  span,
  widthOf,
} from '../../report/index.ts';
import type {
  WafCheck,
  WafConfiguration,
  WafOutcome,
  WafOverrideView,
  WafStanding,
  WafStatus,
  WafStepResult,
} from './waf-migration.ts';

/** The meanings of states, in a few words. */
const STATES: Readonly<Record<string, string>> = {
  default: 'created with the new managed rules',
  start: 'previous WAF only',
  validation: 'both versions on',
  pending: 'being finished',
  complete: 'migrated',
};

/** Returns a state with its meaning. */
export function stateWords(state: string): string {
  return Object.hasOwn(STATES, state) ? `${state} (${STATES[state] ?? ''})` : `${state} (not known here)`;
}

/** Documents the migration states of zones, a row each. */
export function standingsDocument(
  standings: readonly WafStanding[],
  next: (standing: WafStanding) => string | null,
): Document {
  const rows = standings.map((standing) => ({ standing, cells: cellsOf(standing) }));
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map(({ cells }) => widthOf(cells[at] ?? '')), 0));
  const failed = standings.filter(({ kind }) => kind === 'failed').length;
  return {
    title: 'Rulewright waf status',
    body: rows.map(({ standing, cells }) => {
      const [zone = '', oldWaf = '', newWaf = '', state = ''] = cells.map((cell, at) =>
        padTo(cell, widths[at] ?? 0),
      );
      const command = next(standing);
      return entry(undefined, [span('strong', zone), `  ${oldWaf}  ${newWaf}`], {
        facts: [[stateSpan(standing, state)]],
        body: [
          ...(standing.kind === 'failed' ? hintBlocks(standing.error.hint) : []),
          ...(command === null ? [] : [nextParagraph(command)]),
        ],
      });
    }),
    summary: [
      [span('strong', `${counted(standings.length, 'zone')}${failed === 0 ? '' : `, ${failed} not read`}.`)],
    ],
  };
}

function nextParagraph(command: string): Block {
  return paragraph(span('label', 'next: '), span('code', command));
}

function cellsOf(standing: WafStanding): readonly string[] {
  const zone = scopeLabel(standing.scope);
  switch (standing.kind) {
    case 'known': {
      const { oldWaf, newWaf, state } = standing.status;
      return [zone, `old ${oldWaf}`, `new ${newWaf}`, stateWords(state)];
    }
    case 'none':
      return [zone, '', '', 'no migration on this plan level'];
    case 'failed':
      return [zone, '', '', standing.error.message];
    default:
      return assertNever(standing);
  }
}

function stateSpan(standing: WafStanding, text: string) {
  return span(standing.kind === 'failed' ? 'error' : standing.kind === 'none' ? 'dim' : 'info', text);
}

/** Documents whether zones can be migrated, what blocks that, and the remedies. */
export function checksDocument(
  checks: readonly WafCheck[],
  next: (check: WafCheck) => string | null,
): Document {
  const ready = checks.filter(({ compatible }) => compatible === true).length;
  const blocked = checks.filter(({ blockers }) => blockers.length > 0).length;
  return {
    title: 'Rulewright waf check',
    body: checks.map((check) => {
      const { standing, blockers, overrides, notChecked } = check;
      const command = next(check);
      return section(
        2,
        [span('heading', scopeLabel(standing.scope))],
        [
          verdictEntry(check),
          ...blockers.map(({ message, remedy }) =>
            entry({ sign: '!', style: 'error' }, [span('error', 'in the way'), `: ${message}`], {
              body: [paragraph(span('info', 'remedy'), `: ${remedy}`)],
            }),
          ),
          ...overrides.map(overrideEntry),
          ...notChecked.map((text) =>
            entry({ sign: '!', style: 'warning' }, [span('warning', 'not checked'), `: ${text}`]),
          ),
          ...(command === null ? [] : [nextParagraph(command)]),
        ],
        { facts: [[cellsOf(standing).slice(3).join('')]] },
      );
    }),
    summary: [
      [span('strong', `${counted(checks.length, 'zone')}: ${ready} can be migrated, ${blocked} cannot yet.`)],
    ],
  };
}

function verdictEntry({ standing, compatible, blockers }: WafCheck): EntryBlock {
  if (standing.kind === 'failed') {
    const { code, hint } = standing.error;
    return entry(undefined, [span('error', code), ...(hint === undefined ? [] : [`  ${hint}`])]);
  }
  return entry(undefined, [
    compatible === true
      ? span('good', 'can be migrated')
      : blockers.length > 0
        ? span('error', 'cannot be migrated yet')
        : 'nothing to migrate',
  ]);
}

/** Returns an override, for those who have to rebuild its effect. */
function overrideEntry({ id, description, urls, actions, paused }: WafOverrideView): EntryBlock {
  const does = Object.entries(actions).map(([what, action]) => `${what} ${action}`);
  return entry({ sign: '-', style: 'removed' }, [
    span('strong', id),
    ` ${urls.join(', ')}: ${does.join(', ')}${paused ? ' (paused)' : ''}${description === '' ? '' : ` · ${description}`}`,
  ]);
}

/** What becomes of an old setting, in words and as a sign. */
const FATES: Readonly<Record<WafConfiguration['settings'][number]['fate'], EntryMark>> = {
  kept: { sign: '=', word: 'kept', style: 'dim' },
  changed: { sign: '~', word: 'changed', style: 'changed' },
  'skip-rule': { sign: '>', word: 'carried over as a skip rule', style: 'moved' },
  lost: { sign: '-', word: 'not carried over', style: 'removed' },
};

/** Documents old and new settings side by side, and what is not carried over. */
export function configurationDocument({ scope, settings, notes, notChecked }: WafConfiguration): Document {
  return {
    title: 'Rulewright waf config',
    heading: [`${scopeLabel(scope)}: the old WAF and what is generated from it`],
    body: [
      legendEntry(Object.values(FATES)),
      section(
        2,
        [span('strong', 'Settings')],
        settings.map(({ name, before, after, fate }) =>
          entry(FATES[fate], [span('strong', name), `  ${before}  →  ${after}`]),
        ),
      ),
      ...notes.map((text) => paragraph(text)),
      ...notChecked.map((text) => paragraph(span('warning', 'not read'), `: ${text}`)),
    ],
  };
}

/** Documents the result of a step: its outcome, the states before and after, and the snapshot. */
export function stepDocument({ step, scope, before, after, snapshot, outcome }: WafStepResult): Document {
  return {
    title: `Rulewright waf ${step}`,
    body: [
      entry(undefined, [span('heading', `waf ${step} ${scope.name}`), ' · ', outcomeSpan(outcome)], {
        parts: true,
        body: [
          paragraph(outcome.message),
          ...('hint' in outcome ? hintBlocks(outcome.hint) : []),
          paragraph(span('label', 'state: '), stateChange(before, after)),
          ...(snapshot === null ? [] : [paragraph(span('label', 'snapshot: '), span('code', snapshot))]),
        ],
      }),
    ],
  };
}

function outcomeSpan({ kind }: WafOutcome) {
  const style =
    kind === 'done' || kind === 'nothing-to-do' || kind === 'dry-run'
      ? 'good'
      : kind === 'waiting'
        ? 'warning'
        : 'error';
  return span(style, kind === 'wrong' ? 'taken, but something is wrong' : kind.replaceAll('-', ' '));
}

function stateChange(before: WafStatus | null, after: WafStatus | null): string {
  const was = before === null ? 'not read' : stateWords(before.state);
  const is = after === null ? 'cannot be read' : stateWords(after.state);
  return was === is ? is : `${was} → ${is}`;
}
