import type { ErrorFacts, LiveRuleName, NotPutBack, UnfinishedRun, UnfinishedStep } from '../model/index.ts';
import { describedName, readStepId } from '../model/index.ts';
import { groupBy } from '../data/index.ts';
import { counted, someNames } from '../text/index.ts';
import type { Detail } from './layout.ts';
import { momentText } from './print-value.ts';
import type { EntryBlock, EntryMark, Document } from './tree.ts';
import { entry, hintBlocks, message, messageBlocks, paragraph, span } from './tree.ts';

/** Documents an error that ended a run: code, message, hint. */
export function errorReport({ code, message: text, hint }: ErrorFacts): Document {
  return {
    title: 'The command failed',
    body: [
      entry({ style: 'error' }, [span('error', 'error'), span('dim', ` ${code}`)], {
        parts: true,
        body: [...messageBlocks(text), ...hintBlocks(hint)],
      }),
    ],
  };
}

/** Documents an error that is a bug of this program, with the request to report it. */
export function bugReport(error: unknown): Document {
  return errorReport({
    code: 'bug/unexpected',
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    hint: 'this is a bug in rulewright. Run the command again with --verbose and report what it prints.',
  });
}

const MARKS: Readonly<Record<UnfinishedStep['state'], EntryMark>> = {
  done: { word: 'done', style: 'good' },
  partly: { word: 'partly done', style: 'warning' },
  'not-begun': { word: 'not begun', style: 'dim' },
  'in-doubt': { word: 'in doubt', style: 'warning' },
  unknown: { word: 'not known', style: 'warning' },
};

/** Up to this many steps in one state are each shown. */
const FEW = 20;

/** The number of steps named when they are more. */
const NAMED = 5;

/** What did not finish, by the purpose of the run. */
const UNFINISHED: Readonly<Record<UnfinishedRun['purpose'], string>> = {
  apply: 'An earlier apply did not finish.',
  rollback: 'An earlier apply failed, and did not finish its rollback.',
  waf: 'An earlier step of the WAF migration did not finish.',
};

/** Documents what an unfinished run had done and not done, and what happens now. */
export function unfinishedDocument({ at, purpose, steps }: UnfinishedRun, detail?: Detail): Document {
  const began = momentText(new Date(at).toISOString());
  const what = purpose === 'rollback' ? 'way back' : 'plan';
  const groups = [...groupBy(steps, ({ state, step }) => (isPlain(state) ? state : step)).values()];
  return {
    title: 'An earlier run did not finish',
    body: [
      entry(
        undefined,
        [
          span('warning', UNFINISHED[purpose]),
          ` It began ${began}; it crashed, or is still running. Of its ${what}:`,
        ],
        {
          parts: true,
          body: groups.flatMap((alike) =>
            alike.length > FEW && detail !== 'each' ? [togetherEntry(alike)] : alike.map(stepEntry),
          ),
        },
      ),
      paragraph('What is left of it is planned again from live.'),
    ],
  };
}

/** Documents what an earlier apply failed to put back, and how it is put back by hand. */
export function notPutBackDocument(left: readonly NotPutBack[]): Document {
  return {
    title: 'An earlier apply did not put all back',
    body: [
      entry(
        undefined,
        [span('warning', 'An earlier apply failed, and could not put back all that it had written:')],
        {
          parts: true,
          body: left.map(({ step, command }) =>
            entry({ sign: '!', style: 'warning' }, [span('code', step)], {
              body: hintBlocks(
                command === null ? 'that apply made it' : `to put it back by hand: ${command}`,
              ),
            }),
          ),
        },
      ),
      paragraph('What follows goes on from what is live, to what the files want.'),
    ],
  };
}

/** Whether there is nothing to say about a step in this state but its name. */
function isPlain(state: UnfinishedStep['state']): boolean {
  return state === 'done' || state === 'not-begun';
}

function stepEntry({ state, step, landed, writes }: UnfinishedStep): EntryBlock {
  const count = writes > 1 ? [[span('dim', `${landed} of ${writes} writes`)]] : [];
  return entry(MARKS[state], [span('code', step)], { facts: count });
}

function togetherEntry(steps: readonly UnfinishedStep[]): EntryBlock {
  const names = someNames(
    steps.map(({ step }) => step),
    NAMED,
  );
  const areRulesets = steps.every(({ step }) => !/^(?:list|setting):/u.test(readStepId(step).ruleset));
  const what = counted(steps.length, areRulesets ? 'ruleset' : 'step');
  return entry(MARKS[steps[0]?.state ?? 'unknown'], [`${what}: ${names}`]);
}

/** Somebody else's rules that were lost when a list of rules was replaced, by ruleset; no rules when they are not known. */
interface LostRules {
  readonly step: string;
  readonly rules: readonly LiveRuleName[];
  readonly message: string;
  readonly hint: string;
}

/** Documents which of somebody else's rules a crashed run removed, and what happens about it now. */
export function lostRulesDocument(lost: readonly LostRules[]): Document {
  return {
    title: 'An earlier apply crashed',
    body: [
      paragraph(
        span('warning', 'An earlier apply crashed while it replaced a list of rules, or right after:'),
      ),
      ...lost.map(({ step, rules, message: text, hint }) =>
        entry(undefined, ['  ', span('strong', step)], {
          body: [
            paragraph(message(text)),
            ...(rules.length === 0 ? hintBlocks(hint) : [paragraph(`to be brought back: ${namesOf(rules)}`)]),
          ],
        }),
      ),
    ],
  };
}

/** Documents which of these rules were restored. */
export function restoredEditsDocument(
  outcomes: readonly { readonly step: string; readonly broughtBack: readonly LiveRuleName[] }[],
): Document {
  return {
    title: 'Brought back',
    body: outcomes.map(({ step, broughtBack }) =>
      paragraph(span('good', 'Brought back'), ` in ${step}: ${namesOf(broughtBack)}`),
    ),
  };
}

function namesOf(rules: readonly LiveRuleName[]): string {
  return rules.map(({ ref, description = '' }) => describedName(ref, description)).join(', ');
}
