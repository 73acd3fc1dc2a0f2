import { causeText } from '../../model/source.ts';
import { groupBy } from '../../model/group-by.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { RuleVerdict, VerdictKind } from '../../model/simulation.ts';
import { clauseLines } from './clause.ts';
import { counted } from '../../model/count.ts';
import type { Line } from '../layout.ts';
import { BLANK, hanging, line, span } from '../layout.ts';
import type { Style } from '../theme.ts';

/** How to show the verdicts about a request. */
export interface VerdictLook {
  readonly indent: number;
  /** Whether rules that did not match, are disabled or were not reached are only counted. */
  readonly brief: boolean;
}

const SIGNS: Readonly<Record<VerdictKind, { readonly sign: string; readonly style: Style }>> = {
  matched: { sign: '✓', style: 'good' },
  counted: { sign: '+', style: 'warning' },
  missed: { sign: '✗', style: 'dim' },
  skipped: { sign: '»', style: 'move' },
  disabled: { sign: '-', style: 'dim' },
  unreached: { sign: '-', style: 'dim' },
  opaque: { sign: '?', style: 'warning' },
  undecided: { sign: '!', style: 'error' },
};

const WORDS: Readonly<Record<VerdictKind, string>> = {
  matched: '',
  counted: 'counts',
  missed: 'does not match',
  skipped: 'skipped',
  disabled: 'disabled',
  unreached: 'not reached',
  opaque: 'not simulated',
  undecided: 'cannot be evaluated',
};

/** Verdicts that are only counted in a brief report; rules that were not reached are counted in every report. */
const PLAIN: ReadonlySet<VerdictKind> = new Set(['missed', 'unreached', 'disabled']);

/** Returns lines about what each rule does, by phase and scope, in the order in which the rules run. */
export function verdictLines(verdicts: readonly RuleVerdict[], look: VerdictLook): readonly Line[] {
  const { indent, brief } = look;
  const isTold = ({ verdict, clause }: RuleVerdict): boolean =>
    verdict !== 'unreached' && (!brief || clause !== null || !PLAIN.has(verdict));
  const groups = groupsOf(verdicts).filter((group) => group.some(isTold));
  const elsewhere = verdicts.filter((said) => !groups.some((group) => group.includes(said)));
  return [
    ...groups.flatMap((group, index) => [
      ...(index === 0 || brief ? [] : [BLANK]),
      ...titleLines(group, indent),
      ...group.filter(isTold).flatMap((said) => oneVerdict(said, indent + 2)),
      ...restLines(
        group.filter((said) => !isTold(said)),
        indent + 2,
        '',
      ),
    ]),
    ...restLines(elsewhere, indent, 'in other phases: '),
  ];
}

function titleLines([first]: readonly RuleVerdict[], indent: number): readonly Line[] {
  return first === undefined
    ? []
    : [line(indent, span('strong', first.phase), span('dim', ` · ${scopeLabel(first.scope)}`))];
}

/** Groups verdicts by phase and scope. */
function groupsOf(verdicts: readonly RuleVerdict[]): readonly (readonly RuleVerdict[])[] {
  return [...groupBy(verdicts, ({ phase, scope }) => `${phase} ${scopeLabel(scope)}`).values()];
}

/** Returns a line with the number of rules that are not listed, and why. */
function restLines(rest: readonly RuleVerdict[], indent: number, where: string): readonly Line[] {
  const counts = (['missed', 'unreached', 'disabled'] as const).flatMap((kind) => {
    const own = rest.filter(({ verdict }) => verdict === kind);
    const why = kind === 'unreached' && own[0] !== undefined ? `: ${own[0].why}` : '';
    return own.length === 0 ? [] : [`${counted(own.length, 'rule')} ${COUNTED[kind]}${why}`];
  });
  return counts.length === 0 ? [] : [line(indent, span('dim', `… ${where}${counts.join(', ')}`))];
}

const COUNTED = { missed: 'without a match', unreached: 'not reached', disabled: 'disabled' } as const;

function oneVerdict(said: RuleVerdict, indent: number): readonly Line[] {
  const { sign, style } = SIGNS[said.verdict];
  const own = said.ruleset === null ? indent : indent + 2;
  const cause = said.cause === null ? '' : `  ${causeText(said.cause)}`;
  return [
    hanging(
      own,
      4,
      span(style, `${sign} `),
      span(said.verdict === 'matched' ? 'strong' : 'label', said.rule),
      `  ${words(said)}`,
      span('dim', cause),
    ),
    ...said.assumes.map((text) => line(own + 4, span('warning', 'assumed'), `: ${text}`)),
    ...(said.clause === null ? [] : clauseLines(said.clause, own + 4)),
  ];
}

function words({ action, verdict, ends, why }: RuleVerdict): string {
  const does = `${action}${ends ? ', ends here' : ''}`;
  const rest = [WORDS[verdict], why].filter((text) => text !== '').join(': ');
  return rest === '' ? does : `${does} · ${rest}`;
}
