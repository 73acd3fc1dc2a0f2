import { scopeLabel } from '../../model/index.ts';
import { entry, paragraph, section, sentences, span } from '../../report/index.ts';
import type { Document, EntryBlock, SectionBlock } from '../../report/index.ts';
import { counted } from '../../text/index.ts';
import type { ConversionFile } from '../conversion.ts';
import {
  equivalenceSections,
  equivalenceSentence,
  nextSentences,
  notSameSection,
} from '../conversion-report.ts';
import { pageRuleName } from './page-rule.ts';
import type { PageRule, PageRuleAction } from './page-rule.ts';
import type { ConvertedPageRule } from './page-rules-conversion.ts';
import type { ConvertedPageRules, PageRulesReport } from './page-rules-zone.ts';

const NEXT = {
  next: 'validate, plan, apply; then pagerules retire.',
  declared: 'put the printed rules among those of that file, where the report says.',
};

/** Returns every page rule of a zone with what it does, the highest priority first. */
export function pageRulesSection({ scope, rules }: PageRulesReport): SectionBlock {
  return section(2, [span('heading', scopeLabel(scope))], rules.map(ruleEntry), {
    facts: [[counted(rules.length, 'page rule')]],
  });
}

function ruleEntry(rule: PageRule): EntryBlock {
  const { id, priority, active, actions } = rule;
  return entry(undefined, [span('strong', pageRuleName(rule))], {
    facts: [[`priority ${priority}`], ...(active ? [] : [[span('warning', 'disabled')]])],
    body: [
      paragraph(span('dim', id)),
      ...actions.map((action) => paragraph(span('code', actionText(action)))),
    ],
    apart: true,
  });
}

function actionText({ id, value }: PageRuleAction): string {
  return value === undefined ? id : `${id}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

const NOT_SAME = [
  'Rules act whether a Worker answers or not; page rules leave such requests alone.',
  'In a redirect, a star takes as little of a URL as it can; how much it takes where several could is not documented.',
];

/** Documents what became of each page rule, what no rule takes over, and whether both do the same. */
export function pageRulesConversionDocument(report: ConvertedPageRules & ConversionFile): Document {
  const { scope, result, equivalence } = report;
  const head = {
    title: 'Rulewright pagerules convert',
    heading: ['Page rules of ', span('code', scopeLabel(scope))],
  };
  if (result.kind === 'nothing') {
    return { ...head, body: [paragraph('There are no page rules. Nothing to convert.')] };
  }
  const { rules, phases, warnings } = result;
  const placed = phases.filter(({ existing }) => existing.length > 0);
  return {
    ...head,
    body: [
      ...sentences(
        placed.map(({ phase, existing, place }) => [
          `${counted(existing.length, 'live rule stays', 'live rules stay')} ${place === 'first' ? 'behind' : 'before'} the converted ones in ${phase}, as rules have precedence over page rules.`,
        ]),
      ),
      section(2, [span('strong', 'Page rules')], rules.map(convertedEntry)),
      notSameSection(NOT_SAME, warnings),
      ...(equivalence === null ? [] : equivalenceSections(equivalence)),
    ],
    summary: [
      ...(equivalence === null || phases.length === 0 ? [] : [equivalenceSentence(equivalence)]),
      ...nextSentences(report, NEXT),
    ],
  };
}

function convertedEntry(rule: ConvertedPageRule): EntryBlock {
  const title = [span('strong', pageRuleName(rule.old))];
  switch (rule.kind) {
    case 'idle':
      return entry({ word: 'never acts', style: 'dim' }, title, {
        body: [paragraph(`“${pageRuleName(rule.by)}” comes first and matches all of its URLs`)],
      });
    case 'left':
      return entry({ word: 'left out', style: 'error' }, title, { body: [paragraph(rule.reason)] });
    default: {
      const { rules, lost, notes } = rule;
      const word =
        lost.length === 0
          ? ({ word: 'converted', style: 'good' } as const)
          : rules.length === 0
            ? ({ word: 'left out', style: 'error' } as const)
            : ({ word: 'in part', style: 'warning' } as const);
      return entry(word, title, {
        body: [
          ...rules.map(({ phase, ref }) => paragraph(span('code', ref), ` in ${phase}`)),
          ...lost.map(({ action, reason }) =>
            paragraph(span('warning', `not carried over: ${action}: ${reason}`)),
          ),
          ...notes.map((note) => paragraph(note)),
        ],
      });
    }
  }
}
