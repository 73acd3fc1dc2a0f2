import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { sortDiagnostics } from '../../model/diagnostic.ts';
import { countSentence } from '../text/diagnostics.ts';
import type { Block } from './block.ts';
import { blocksText, heading, paragraph } from './block.ts';
import { box } from './attention.ts';
import { code, proseLines } from './escape-markdown.ts';
import type { SourceLinks } from './source-links.ts';
import { placeLink } from './source-links.ts';

/** Findings about files as Markdown. */
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

/** Whether the files are valid, then all findings: errors, warnings, notes. */
export function diagnosticBlocks(
  { valid, diagnostics }: { readonly valid: boolean; readonly diagnostics: readonly Diagnostic[] },
  links: SourceLinks,
): readonly Block[] {
  const sorted = sortDiagnostics(diagnostics);
  const severities: readonly Severity[] = ['error', 'warning', 'info'];
  return [
    paragraph(
      `**${valid ? 'The files are valid.' : 'The files are not valid.'}**${sorted.length === 0 ? '' : ` ${countSentence(sorted)}`}`,
    ),
    ...severities.flatMap((severity) =>
      box(
        LEVELS[severity],
        TITLES[severity],
        sorted.filter((one) => one.severity === severity).map((one) => diagnosticItem(one, links)),
        Number.POSITIVE_INFINITY,
      ),
    ),
  ];
}

function diagnosticItem({ code: name, message, hint, where }: Diagnostic, links: SourceLinks): string {
  const place =
    where === undefined ? '' : `${placeLink({ file: where.file, line: where.start.line }, links)} · `;
  return `${place}${proseLines(message)} (${code(name)})${hint === undefined ? '' : `<br>${proseLines(hint)}`}`;
}
