import type { ImportedScope, ImportSummary, LeftOut } from '../../model/import-summary.ts';
import { counted } from '../count.ts';
import { BLANK, layOut, line, span } from '../layout.ts';
import { hintLines, messageLines } from '../lines/message.ts';
import type { Line } from '../layout.ts';
import type { Look } from '../theme.ts';

/** More scopes in which nothing is new are only counted. */
const MOST_UNCHANGED = 3;

/** What an import did, scope by scope; what went wrong stands at the end. */
export function importText(summary: ImportSummary, look: Look): string {
  const { scopes, written, requests } = summary;
  const failed = scopes.filter((scope) => scope.kind === 'failed');
  const done = scopes.filter((scope) => scope.kind !== 'failed');
  const unchanged = done.filter(
    ({ kind, leftOut, kept }) => kind === 'unchanged' && leftOut.length + kept.length === 0,
  );
  const quiet = new Set(unchanged.length > MOST_UNCHANGED ? unchanged : []);
  return layOut(
    [
      ...done.filter((scope) => !quiet.has(scope)).flatMap(doneLines),
      ...(quiet.size > 0 ? [line(0, span('dim', `unchanged ${counted(quiet.size, 'scope')}`))] : []),
      ...(failed.length === 0
        ? []
        : [BLANK, line(0, span('error', 'Not imported'), ', and nothing of it written:')]),
      ...failed.flatMap(failedLines),
      BLANK,
      line(
        0,
        span('strong', `Imported ${counted(done.length, 'scope')}`),
        `: ${counted(written.length, 'file')} written, ${counted(requests, 'request')}.`,
      ),
      ...(done.some(({ kept }) => kept.length > 0)
        ? [line(0, 'Some differences stay: rulewright plan shows them.')]
        : []),
    ],
    look,
  );
}

const KINDS = { new: 'add', changed: 'patch', unchanged: 'dim' } as const;

function doneLines(scope: Exclude<ImportedScope, { readonly kind: 'failed' }>): readonly Line[] {
  const { kind, files, rules, rulesets, leftOut, kept } = scope;
  return [
    line(
      0,
      span(KINDS[kind], kind.padEnd(9)),
      ` ${scope.scope}`,
      span(
        'dim',
        `  ${counted(rules, 'rule')} in ${counted(rulesets, 'ruleset')}${files.length === 0 ? '' : `  ${files.join(', ')}`}`,
      ),
    ),
    ...leftOut.map((one) => ({
      ...line(4, span('warning', 'left out'), ` ${leftOutText(one)}`),
      hang: 6,
    })),
    ...kept.map((text) => ({ ...line(4, span('warning', 'stays'), ` ${text}`), hang: 6 })),
  ];
}

/** A ruleset that was left out, as one line. */
export function leftOutText({ kind, phase, name, reason }: LeftOut): string {
  return kind === 'custom'
    ? `${phase}, custom ruleset ${JSON.stringify(name)}: ${reason}`
    : `${phase}: ${reason}`;
}

function failedLines({
  scope,
  message,
  hint,
}: Extract<ImportedScope, { readonly kind: 'failed' }>): readonly Line[] {
  return [line(2, span('strong', scope)), ...messageLines(4, message), ...hintLines(4, hint)];
}
