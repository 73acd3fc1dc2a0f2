import type {
  RateLimitsReport,
  ConvertedRateLimits,
  ConvertedRule,
  ConversionFile,
  OldRateLimit,
} from '../conversion.ts';
import { rateLimitName } from '../conversion.ts';
import { scopeLabel } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import {
  equivalenceSections,
  equivalenceSentence,
  nextSentences,
  notSameSection,
} from '../conversion-report.ts';
import { entry, hintBlocks, paragraph, section, sentences, span } from '../../report/index.ts';
import type { Document, EntryBlock, SectionBlock } from '../../report/index.ts';

const NEXT = {
  next: 'validate, plan, apply; then ratelimits retire.',
  declared: 'put the printed rules among those of that file.',
};

/** Returns every old rate limit with what it counts and what it does. */
export function rateLimitsSection({ scope, limits }: RateLimitsReport): SectionBlock {
  return section(2, [span('heading', scopeLabel(scope))], limits.map(limitEntry), {
    facts: [[counted(limits.length, 'old rate limit')]],
  });
}

function limitEntry(limit: OldRateLimit): EntryBlock {
  const { id, disabled, threshold, period, request, action, bypassUrls, correlateBy } = limit;
  const timeout = action.timeout === null ? '' : ` for ${action.timeout} s`;
  const methods = request.methods.length === 0 ? '_ALL_' : request.methods.join(' ');
  return entry(undefined, [span('strong', rateLimitName(limit))], {
    facts: [
      [`${action.mode}${timeout} above ${threshold} in ${period} s`],
      ...(disabled ? [[span('warning', 'disabled')]] : []),
    ],
    body: [
      paragraph(span('dim', id)),
      paragraph(span('code', `${methods} ${request.url === '' ? '*' : request.url}`)),
      ...bypassUrls.map((url) => paragraph('not ', span('code', url))),
      ...(correlateBy === null ? [] : [paragraph(`visitors told apart by ${correlateBy}`)]),
    ],
    apart: true,
  });
}

const NOT_SAME = [
  'Each data centre counts for itself.',
  'A URL is compared without its query; a star stays in the host, or in the path, where it stands.',
  'Events come from rate limiting rules and name other rule ids.',
];

/** Documents the result for each rate limit, and what is lost. */
export function rateLimitConversionDocument(report: ConvertedRateLimits & ConversionFile): Document {
  const { scope, result, equivalence } = report;
  const head = {
    title: 'Rulewright ratelimits convert',
    heading: ['Old rate limits of ', span('code', scopeLabel(scope))],
  };
  if (result.kind === 'nothing') {
    return { ...head, body: [paragraph('There are no old rate limits. Nothing to convert.')] };
  }
  if (result.kind === 'refused') {
    return {
      ...head,
      body: [
        entry(undefined, [span('error', result.message)], { parts: true, body: hintBlocks(result.hint) }),
      ],
    };
  }
  const { existing, rules, warnings } = result;
  return {
    ...head,
    body: [
      ...(existing.length === 0
        ? []
        : sentences([[`${counted(existing.length, 'live rule stays', 'live rules stay')} before them.`]])),
      section(2, [span('strong', 'Rate limits')], rules.map(convertedEntry)),
      notSameSection(NOT_SAME, warnings),
      ...(equivalence === null ? [] : equivalenceSections(equivalence)),
    ],
    summary: [
      ...(equivalence === null ? [] : [equivalenceSentence(equivalence)]),
      ...nextSentences(report, NEXT),
    ],
  };
}

function convertedEntry(rule: ConvertedRule<OldRateLimit>): EntryBlock {
  const title = [span('strong', rateLimitName(rule.old))];
  return rule.kind === 'converted'
    ? entry({ word: 'converted', style: 'good' }, title, {
        facts: [[`${rule.old.action.mode} → ${rule.content.action}`]],
        body: [
          paragraph(span('code', rule.ref)),
          ...rule.notes.map(({ kind, message }) =>
            paragraph(kind === 'not-same' ? span('warning', message) : message),
          ),
        ],
      })
    : entry({ word: 'left out', style: 'error' }, title, { body: [paragraph(rule.reason)] });
}
