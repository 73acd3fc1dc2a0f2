import { shownChange, shownText } from '../../model/conceal.ts';
import { assertNever } from '../../model/assert-never.ts';
import { phaseFacts } from '../../model/phase.ts';
import type { Step, RulesetTarget } from '../../model/plan.ts';
import { counted } from '../../model/count.ts';
import { fieldLines } from './field.ts';
import type { FieldPlace } from './field.ts';
import type { Line, Span } from '../layout.ts';
import { line, span } from '../layout.ts';
import type { Graves } from '../lowering.ts';
import { toldChanges } from '../folded-changes.ts';
import { momentText } from '../moment.ts';
import { deletionsLines, ruleLines } from './rule.ts';
import type { RulesetNames } from '../ruleset-names.ts';
import { stepOrigin } from '../step-origin.ts';
import type { Telling } from '../telling.ts';
import { SYMBOLS } from '../telling.ts';
import type { Detail } from '../theme.ts';

/** How to show rulesets: which changes are grave, the names of rulesets, and whether each of many moves is shown. */
export interface StepLook extends FieldPlace {
  readonly graves: Graves;
  readonly names: RulesetNames;
  readonly detail: Detail | undefined;
}

/** Returns lines about a ruleset with everything that changes in it. */
export function stepLines(step: Step, look: StepLook): readonly Line[] {
  const { graves, names, detail, ...place } = look;
  const { changes, order, deletions } = toldChanges(step, {
    graves,
    detail,
    telling: place.telling.kind,
  });
  const { sign, style } = SYMBOLS[place.telling.kind].move;
  const inner = { ...place, indent: place.indent + 2 };
  const description =
    step.operation === 'update' && step.description !== undefined ? shownChange(step.description) : undefined;
  return [
    line(
      place.indent,
      ...operationSign(step, place.telling),
      ...targetSpans(step.target),
      ...stateSpans(step, place.telling),
      span('dim', `  ${stepOrigin(step)}`),
    ),
    ...(description === undefined
      ? []
      : fieldLines([{ label: 'description', group: '', value: { kind: 'differs', ...description } }], inner)),
    ...(step.operation === 'create' && step.description !== ''
      ? fieldLines(
          [{ label: 'description', group: '', value: { kind: 'is', value: shownText(step.description) } }],
          inner,
        )
      : []),
    ...(order === null
      ? []
      : [line(inner.indent, span(style, `${sign} `), order, span('dim', '; --verbose lists them'))]),
    ...changes.flatMap((change) =>
      ruleLines(change, {
        ...inner,
        places: step.operation === 'update',
        phase: step.target.phase,
        names,
        grave: graves(step, change),
      }),
    ),
    ...deletions.flatMap((group) => deletionsLines(group, inner)),
  ];
}

/** Returns the product of a ruleset's phase, or the name of a custom ruleset. */
function targetSpans(target: RulesetTarget): readonly Span[] {
  const product = phaseFacts(target.phase)?.product ?? target.phase;
  return target.level === 'custom'
    ? [span('strong', target.name), { text: ` · custom ruleset · ${target.phase}` }]
    : [span('strong', product), { text: product === target.phase ? '' : ` · ${target.phase}` }];
}

function operationSign(step: Step, telling: Telling): readonly Span[] {
  switch (step.operation) {
    case 'create':
    case 'delete': {
      const { sign, style } = SYMBOLS[telling.kind][step.operation === 'create' ? 'add' : 'delete'];
      return [span(style, `${sign} `)];
    }
    case 'update':
      return [];
    default:
      return assertNever(step);
  }
}

const OPERATIONS: Readonly<
  Record<Telling['kind'], Readonly<Record<Step['operation'], (rules: number) => string>>>
> = {
  plan: {
    create: () => ' · new ruleset',
    update: () => '',
    delete: (rules) => ` · ruleset deleted, with ${counted(rules, 'rule')}`,
  },
  drift: {
    create: () => ' · missing live',
    update: () => '',
    delete: (rules) => ` · only live, with ${counted(rules, 'rule')}`,
  },
};

function stateSpans(step: Step, telling: Telling): readonly Span[] {
  const { base } = step;
  const changed = telling.kind === 'drift' && base.kind === 'version' && base.lastUpdated !== '';
  return [
    { text: OPERATIONS[telling.kind][step.operation](step.changes.length) },
    ...(base.kind === 'version' ? [span('dim', ` · version ${base.version}`)] : []),
    ...(changed ? [span('dim', `, changed ${momentText(base.lastUpdated)}`)] : []),
  ];
}
