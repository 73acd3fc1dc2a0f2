import type { Diagnostic, Severity, SourceSpan } from '../../model/index.ts';
import { someNames, counted } from '../../text/index.ts';
import type { AlikeDiagnostics } from '../shown-diagnostics.ts';
import { MOST_PLACES, shownDiagnostics } from '../shown-diagnostics.ts';
import { countSentence, countWords } from '../text/diagnostics.ts';
import type { Block, SourceLinks } from './block.ts';
import { blocksText, heading, paragraph, code, proseLines, placeLink } from './block.ts';
import { box } from './attention.ts';

/** Formats findings about files as Markdown. */
export function diagnosticsMarkdown(
  findings: { readonly valid: boolean; readonly diagnostics: readonly Diagnostic[] },
  links: SourceLinks,
): string {
  return `${blocksText([heading('Rulewright validate'), ...diagnosticBlocks(findings, links)])}\n`;
}

const LEVELS: Readonly<Record<Severity, 'caution' | 'warning' | 'note'>> = {
  error: 'caution',
  warning: 'warning',
  info: 'note',
};

const TITLES: Readonly<Record<Severity, string>> = { error: 'Errors', warning: 'Warnings', info: 'Notes' };

/** Returns whether the files are valid, then all findings: errors, warnings, notes. */
export function diagnosticBlocks(
  { valid, diagnostics }: { readonly valid: boolean; readonly diagnostics: readonly Diagnostic[] },
  links: SourceLinks,
): readonly Block[] {
  const { shown, counted: rest } = shownDiagnostics(diagnostics);
  const severities: readonly Severity[] = ['error', 'warning', 'info'];
  return [
    paragraph(
      `**${valid ? 'The files are valid.' : 'The files are not valid.'}**${diagnostics.length === 0 ? '' : ` ${countSentence(diagnostics)}`}`,
    ),
    ...severities.flatMap((severity) =>
      box(
        LEVELS[severity],
        TITLES[severity],
        shown.filter(({ first }) => first.severity === severity).map((one) => diagnosticItem(one, links)),
        Number.POSITIVE_INFINITY,
      ),
    ),
    ...box(
      'note',
      'Not shown above; `--format json` holds all',
      [...rest].map(([file, members]) => `${file === '' ? '' : `${code(file)}: `}${countWords(members)}`),
      Number.POSITIVE_INFINITY,
    ),
  ];
}

function diagnosticItem({ first, others }: AlikeDiagnostics, links: SourceLinks): string {
  const { code: name, message, hint, where } = first;
  const place = where === undefined ? '' : `${linkTo(where, links)} · `;
  const places = others.flatMap((other) => (other.where === undefined ? [] : [linkTo(other.where, links)]));
  return [
    `${place}${proseLines(message)} (${code(name)})`,
    ...(hint === undefined ? [] : [proseLines(hint)]),
    ...(places.length === 0
      ? []
      : [`${counted(places.length, 'more place')} alike: ${someNames(places, MOST_PLACES)}`]),
  ].join('<br>');
}

function linkTo({ file, start }: SourceSpan, links: SourceLinks): string {
  return placeLink({ file, line: start.line }, links);
}
