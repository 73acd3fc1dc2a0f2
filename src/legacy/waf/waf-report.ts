import { assertNever } from '../../data/index.ts';
import { scopeLabel } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import type { Line, Look } from '../../report/index.ts';
import { BLANK, layOut, line, span, padTo, widthOf, hintLines } from '../../report/index.ts';
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

/** Formats the migration states of zones as a table. */
export function standingsText(
  standings: readonly WafStanding[],
  next: (standing: WafStanding) => string | null,
  look: Look,
): string {
  const rows = standings.map((standing) => ({ standing, cells: cellsOf(standing) }));
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map(({ cells }) => widthOf(cells[at] ?? '')), 0));
  const lines = rows.flatMap(({ standing, cells }): readonly Line[] => {
    const [zone = '', oldWaf = '', newWaf = '', state = ''] = cells.map((cell, at) =>
      padTo(cell, widths[at] ?? 0),
    );
    const command = next(standing);
    return [
      line(0, span('strong', zone), '  ', oldWaf, '  ', newWaf, '  ', stateSpan(standing, state)),
      ...(standing.kind === 'failed' ? hintLines(2, standing.error.hint) : []),
      ...(command === null ? [] : [line(2, span('label', 'next: '), command)]),
    ];
  });
  const failed = standings.filter(({ kind }) => kind === 'failed').length;
  return layOut(
    [
      ...lines,
      line(
        0,
        span('strong', `${counted(standings.length, 'zone')}${failed === 0 ? '' : `, ${failed} not read`}.`),
      ),
    ],
    look,
  );
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

/** Formats whether zones can be migrated, what blocks that, and the remedies. */
export function checksText(
  checks: readonly WafCheck[],
  next: (check: WafCheck) => string | null,
  look: Look,
): string {
  const lines = checks.flatMap((check): readonly Line[] => {
    const { standing, blockers, overrides, notChecked } = check;
    const command = next(check);
    return [
      line(0, span('heading', scopeLabel(standing.scope)), ` · ${cellsOf(standing).slice(3).join('')}`),
      verdictLine(check),
      ...blockers.flatMap(({ message, remedy }) => [
        line(2, span('error', 'in the way'), `: ${message}`),
        line(4, span('info', 'remedy'), `: ${remedy}`),
      ]),
      ...overrides.map(overrideLine),
      ...notChecked.map((text) => line(2, span('warning', 'not checked'), `: ${text}`)),
      ...(command === null ? [] : [line(2, span('label', 'next: '), command)]),
      BLANK,
    ];
  });
  const ready = checks.filter(({ compatible }) => compatible === true).length;
  const blocked = checks.filter(({ blockers }) => blockers.length > 0).length;
  return layOut(
    [
      ...lines,
      line(
        0,
        span('strong', `${counted(checks.length, 'zone')}: ${ready} can be migrated, ${blocked} cannot yet.`),
      ),
    ],
    look,
  );
}

function verdictLine({ standing, compatible, blockers }: WafCheck): Line {
  if (standing.kind === 'failed') {
    return line(
      2,
      span('error', standing.error.code),
      standing.error.hint === undefined ? '' : `  ${standing.error.hint}`,
    );
  }
  return compatible === true
    ? line(2, span('good', 'can be migrated'))
    : line(2, blockers.length > 0 ? span('error', 'cannot be migrated yet') : 'nothing to migrate');
}

/** Returns a line about an override, for those who have to rebuild its effect. */
function overrideLine({ id, description, urls, actions, paused }: WafOverrideView): Line {
  const does = Object.entries(actions).map(([what, action]) => `${what} ${action}`);
  return line(
    2,
    span('removed', '- '),
    span('strong', id),
    ` ${urls.join(', ')}: ${does.join(', ')}${paused ? ' (paused)' : ''}${description === '' ? '' : ` · ${description}`}`,
  );
}

const FATES = { kept: '=', changed: '~', 'skip-rule': '>', lost: '-' } as const;

/** Formats old and new settings side by side, and what is not carried over. */
export function configurationText(
  { scope, settings, notes, notChecked }: WafConfiguration,
  look: Look,
): string {
  return layOut(
    [
      line(0, span('heading', `${scopeLabel(scope)}: the old WAF and what is generated from it`)),
      line(0, span('dim', '= kept   ~ changed   > carried over as a skip rule   - not carried over')),
      BLANK,
      ...settings.map(({ name, before, after, fate }) =>
        line(2, `${FATES[fate]} `, span('strong', name), `  ${before}  →  ${after}`),
      ),
      BLANK,
      ...notes.map((text) => line(2, text)),
      ...notChecked.map((text) => line(2, span('warning', 'not read'), `: ${text}`)),
    ],
    look,
  );
}

/** Formats the result of a step: its outcome, the states before and after, and the snapshot. */
export function stepText(
  { step, scope, before, after, snapshot, outcome }: WafStepResult,
  look: Look,
): string {
  return layOut(
    [
      line(0, span('heading', `waf ${step} ${scope.name}`), ' · ', outcomeSpan(outcome)),
      line(2, outcome.message),
      ...('hint' in outcome ? hintLines(2, outcome.hint) : []),
      line(2, span('label', 'state: '), stateChange(before, after)),
      ...(snapshot === null ? [] : [line(2, span('label', 'snapshot: '), snapshot)]),
    ],
    look,
  );
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
