import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourceSpan } from '../../model/source.ts';
import { finding } from '../finding.ts';

/**
 * What bounds a pattern of files. It becomes a regular expression, and each of its open places may be tried at every character of a name:
 * a pattern that has many of them would keep the reader busy for ever.
 */
const MOST = { characters: 1000, openInSegment: 3, openFolders: 3 } as const;

/** The finding about a pattern that could take too long to match; nothing for one that cannot. */
export function tooOpen(pattern: string, where: SourceSpan): Diagnostic | undefined {
  const problem = problemOf(pattern);
  return problem === undefined
    ? undefined
    : finding('config/pattern-too-open', {
        message: `the pattern ${problem}`,
        hint: 'name the files by several simple patterns, such as `zones/*.yaml`',
        where,
      });
}

function problemOf(pattern: string): string | undefined {
  if (pattern.length > MOST.characters) {
    return `is longer than ${MOST.characters} characters`;
  }
  if (/(?<!\\)[()|]/u.test(pattern.replaceAll(LITERAL_GROUP, ''))) {
    return 'has a group in parentheses, which may match in too many ways';
  }
  const segments = pattern.split('/');
  if (segments.filter((segment) => segment === '**').length > MOST.openFolders) {
    return `has more than ${MOST.openFolders} \`**\``;
  }
  return segments.some((segment) => (segment.match(OPEN) ?? []).length > MOST.openInSegment)
    ? `has more than ${MOST.openInSegment} of \`*\`, \`+\` and \`{…}\` in one part of the path`
    : undefined;
}

/** Parentheses around plain text, as names of files have them: they match once and in one way. */
const LITERAL_GROUP = /(?<![\\?*+@!])\([^()|*+?[\]{}!@\\/]*\)(?![*+?{])/gu;

/** What matches texts of several lengths. */
const OPEN = /\*+|\+|\{|[\]}]\?/gu;
