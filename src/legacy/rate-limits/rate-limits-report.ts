import type { RateLimitsReport, ConvertedRateLimits, ConversionFile, OldRateLimit } from '../conversion.ts';
import { rateLimitName } from '../conversion.ts';
import { scopeLabel } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import { nextLines, equivalenceLines } from '../conversion-report.ts';
import { hintLines, BLANK, layOut, line, span } from '../../report/index.ts';
import type { Line, Look } from '../../report/index.ts';

const NEXT = {
  next: 'validate, plan, apply; then ratelimits retire.',
  declared: 'put the printed rules among those of that file.',
};

/** Formats every old rate limit with what it counts and what it does. */
export function rateLimitsText({ scope, limits }: RateLimitsReport, look: Look): string {
  return layOut(
    [
      line(0, span('heading', scopeLabel(scope)), ` · ${counted(limits.length, 'old rate limit')}`),
      ...limits.flatMap((limit) => [BLANK, ...limitLines(limit)]),
    ],
    look,
  );
}

function limitLines(limit: OldRateLimit): readonly Line[] {
  const { id, disabled, threshold, period, request, action, bypassUrls, correlateBy } = limit;
  const timeout = action.timeout === null ? '' : ` for ${action.timeout} s`;
  const methods = request.methods.length === 0 ? '_ALL_' : request.methods.join(' ');
  return [
    line(
      0,
      span('strong', rateLimitName(limit)),
      `  ${action.mode}${timeout} above ${threshold} in ${period} s`,
      ...(disabled ? [span('warning', '  disabled')] : []),
    ),
    line(2, span('dim', id)),
    line(2, `${methods} ${request.url === '' ? '*' : request.url}`),
    ...bypassUrls.map((url) => line(2, `not ${url}`)),
    ...(correlateBy === null ? [] : [line(2, `visitors told apart by ${correlateBy}`)]),
  ];
}

/** Formats the result for each rate limit, and what is lost. */
export function rateLimitConversionText(report: ConvertedRateLimits & ConversionFile, look: Look): string {
  const { scope, result, equivalence } = report;
  const head = line(0, span('heading', scopeLabel(scope)));
  if (result.kind === 'nothing') {
    return layOut([head, line(0, 'There are no old rate limits. Nothing to convert.')], look);
  }
  if (result.kind === 'refused') {
    return layOut([head, line(0, span('error', result.message)), ...hintLines(2, result.hint)], look);
  }
  return layOut(
    [
      head,
      ...(result.existing.length === 0
        ? []
        : [line(0, `${counted(result.existing.length, 'live rule stays', 'live rules stay')} before them.`)]),
      ...result.rules.flatMap((rule) => [
        line(
          2,
          rule.kind === 'converted' ? span('good', 'converted ') : span('error', 'left out  '),
          span('strong', rateLimitName(rule.old)),
          rule.kind === 'converted' ? `  ${rule.old.action.mode} → ${rule.content.action}` : '',
        ),
        ...(rule.kind === 'converted'
          ? [
              line(6, span('dim', rule.ref)),
              ...rule.notes.map(({ kind, message }) =>
                line(6, kind === 'not-same' ? span('warning', message) : message),
              ),
            ]
          : [line(6, rule.reason)]),
      ]),
      BLANK,
      line(0, span('strong', 'Not the same')),
      line(2, 'Each data centre counts for itself.'),
      line(
        2,
        'A URL is compared without its query; a star stays in the host, or in the path, where it stands.',
      ),
      line(2, 'Events come from rate limiting rules and name other rule ids.'),
      ...result.warnings.map((warning) => line(2, span('warning', '! '), warning)),
      ...(equivalence === null ? [] : [BLANK, ...equivalenceLines(equivalence)]),
      ...nextLines(report, NEXT),
    ],
    look,
  );
}
