import { showBytes } from '../language/source-bytes.ts';
import { quoteText } from '../print/print-expression.ts';
import type { TextTest } from '../language/field-tests.ts';
import type { Report, CheckSubject } from './check-finding.ts';

const HEADER_MAP = /^(?:raw\.)?http\.(?:request|response)\.headers$/u;
// A path such as `\windows\system32` has backslashes too: after a character class such as `\d` no other letter follows.
const LOOKS_LIKE_REGEX = /^\^|[^\\]\$$|\.\*|\(\?|\\(?:[dws](?![a-z])|\.)/iu;

/** Reports header names in upper case, and literals that look like regular expressions or wildcard patterns but are compared as they are. */
export function checkTexts({ operands, texts }: CheckSubject, report: Report): void {
  for (const { source, indexes } of operands) {
    const [key] = indexes;
    if (
      source.kind === 'field' &&
      HEADER_MAP.test(source.name) &&
      key?.kind === 'key' &&
      /[A-Z]/u.test(key.key)
    ) {
      const message = `a header is never called ${showBytes(key.key)} here`;
      report('expression/header-case', { message, span: key.span });
    }
  }
  for (const test of texts) {
    if (test.how !== 'wildcard') {
      checkText(test, report);
    }
  }
}

function checkText({ field, how, literal: { value, span } }: TextTest, report: Report): void {
  const shown = showBytes(value);
  if (LOOKS_LIKE_REGEX.test(value)) {
    const message = `${shown} is compared as it is, not as a regular expression`;
    report('expression/regex-in-text', { message, span });
  } else if (isStarred({ field, how, literal: { value, span } })) {
    const bare = value.replaceAll(/^\*+|\*+$/gu, '');
    const hint =
      how === 'whole' || bare.includes('*')
        ? `wildcard takes patterns: ${field} wildcard ${quoteText(value)}`
        : `leave the star out: ${showBytes(quoteText(bare))}`;
    report('expression/wildcard-in-text', {
      message: `the * in ${shown} stands for itself here`,
      span,
      hint,
    });
  }
}

function isStarred({ field, how, literal: { value } }: TextTest): boolean {
  if (how === 'part') {
    return STARRED_PART.test(value) && OF_NAMES.has(field);
  }
  return (OF_NAMES.has(field) ? STARRED_NAME : STARRED).test(value);
}

/** A star beside anything else: alone it is the target of `OPTIONS *`. */
const STARRED_NAME = /[^*].*\*|\*.*[^*]/su;
/** A star in a text with a word character, and a star at an edge of a longer word. */
const STARRED = /\w.*\*|\*.*\w/su;
const STARRED_PART = /^\*.*\w\w|\w\w.*\*$/su;

/** Fields in which a star is a mistake. In other fields attacks have one, as in SQL comments. */
const OF_NAMES: ReadonlySet<string> = new Set([
  'http.host',
  'http.user_agent',
  'http.referer',
  'http.request.uri.path',
]);
