import type { Diagnostic, SourceSpan } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import type { SuppressionComment } from '../yaml/suppression-comments.ts';
import { isPermittable, MARKER } from '../yaml/suppression-comments.ts';
import { codeHint, usualSeverity, weigh } from '../project/project-file.ts';
import { sortDiagnostics } from '../../model/index.ts';
import type { Severities } from '../project/project-file.ts';

/** One code that one comment suppresses. */
interface Suppression {
  readonly code: string;
  readonly where: SourceSpan;
  readonly lines: SuppressionComment['lines'];
}

/** The findings that comments leave, and the findings about the comments. */
interface Suppressed {
  readonly kept: readonly Diagnostic[];
  readonly comments: readonly Diagnostic[];
}

/** The comments that suppress findings, and which files have been searched completely. */
interface SuppressionPlaces {
  readonly comments: readonly SuppressionComment[];
  /** Whether all findings of this file are known, so that a suppression without one is unused. */
  readonly isComplete: (path: string) => boolean;
}

/** Codes that appear only from a certain day on: their comment may be there before that day, and is never reported as unused. */
const OF_DAYS: ReadonlySet<string> = new Set([
  'config/expired-ignore',
  'config/expired-allow',
  'active/ended',
  'active/ends-soon',
]);

/**
 * Lowers findings to warnings where a comment says that the service accepts what this version does not, so that the comment can suppress them like any warning.
 */
export function permitNewer(
  findings: readonly Diagnostic[],
  comments: readonly SuppressionComment[],
): readonly Diagnostic[] {
  if (comments.length === 0 || !findings.some(({ code }) => isPermittable(code))) {
    return findings;
  }
  const suppressions = comments.flatMap((comment) => readComment(comment).suppressions);
  return findings.map((found) =>
    isPermittable(found.code) && suppressions.some((one) => meets(one, found))
      ? { ...found, severity: 'warning' }
      : found,
  );
}

/** Removes the findings that comments suppress. Errors stay: only a corrected file can be trusted. */
function suppress(findings: readonly Diagnostic[], { comments, isComplete }: SuppressionPlaces): Suppressed {
  const read = comments.map((comment) => readComment(comment));
  const suppressions = read.flatMap((one) => one.suppressions);
  const met = new Set<Suppression>();
  const kept = findings.filter((found) => {
    const meeting = suppressions.filter((one) => meets(one, found));
    meeting.forEach((one) => met.add(one));
    return meeting.length === 0 || found.severity === 'error';
  });
  const errors = new Set(findings.filter(({ severity }) => severity === 'error'));
  return {
    kept,
    comments: [
      ...read.flatMap((one) => one.diagnostics),
      ...suppressions
        .filter((one) => !met.has(one) && !OF_DAYS.has(one.code) && isComplete(one.where.file))
        .map((one) => unused(one)),
      ...suppressions
        .filter((one) => [...errors].some((found) => meets(one, found)))
        .map((one) => ofError(one)),
    ],
  };
}

function meets({ code, where, lines }: Suppression, found: Diagnostic): boolean {
  const line = found.where?.start.line ?? 0;
  return found.code === code && found.where?.file === where.file && line >= lines.first && line <= lines.last;
}

/** `CODE[, CODE]: reason`. */
const FORM = /^\s*(?<codes>[\w/-]+(?:\s*,\s*[\w/-]+)*)\s*:\s*\S/u;

function readComment({ text, where, lines }: SuppressionComment): {
  readonly suppressions: readonly Suppression[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const codes = FORM.exec(text)
    ?.groups?.['codes']?.split(',')
    .map((code) => code.trim());
  if (codes === undefined) {
    return {
      suppressions: [],
      diagnostics: [
        finding('suppression/malformed', {
          message: /[\w/-]/u.test(text) ? 'the comment gives no reason' : 'the comment names no code',
          hint: `write # ${MARKER} CODE: why it may stay`,
          where,
        }),
      ],
    };
  }
  const known = codes.filter((code) => usualSeverity(code) !== undefined);
  return {
    suppressions: known.map((code) => ({ code, where, lines })),
    diagnostics: codes
      .filter((code) => !known.includes(code))
      .map((code) =>
        finding('suppression/unknown-code', {
          message: `no finding has the code \`${code}\``,
          hint: codeHint(code),
          where,
        }),
      ),
  };
}

function unused({ code, where, lines }: Suppression): Diagnostic {
  return finding('suppression/unused', {
    message: `line ${lines.first} has no \`${code}\` to suppress`,
    hint: 'remove the comment, or put it directly above the line of the finding',
    where,
  });
}

function ofError({ code, where }: Suppression): Diagnostic {
  return finding('suppression/of-error', {
    message: `\`${code}\` is an error, which cannot be suppressed`,
    hint: 'fix what it reports, and remove the comment',
    where,
  });
}

/** How findings are judged: by comments and by configured severities. */
interface SuppressionContext extends SuppressionPlaces {
  readonly severities: Severities;
}

/** Returns findings as the project sees them, sorted: without those that comments suppress, and with the severities of `lint`. */
export function judge(findings: readonly Diagnostic[], judgement: SuppressionContext): readonly Diagnostic[] {
  const { kept, comments } = suppress(findings, judgement);
  return sortDiagnostics(weigh([...kept, ...comments], judgement.severities));
}
