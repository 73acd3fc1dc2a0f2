import { showBytes } from '../source.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';

const HEADER_MAP = /^(?:raw\.)?http\.(?:request|response)\.headers$/u;
// A path such as `\windows\system32` has backslashes as well: behind the letter of a class no other letter follows.
const LOOKS_LIKE_REGEX = /^\^|[^\\]\$$|\.\*|\(\?|\\(?:[dws](?![a-z])|\.)/iu;

/** Texts that can never be equal to what they are compared with: header names in upper case, regular expressions. */
export function checkTexts({ operands, texts }: Subject, report: Report): void {
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
  for (const { how, literal } of texts) {
    if (how !== 'wildcard' && LOOKS_LIKE_REGEX.test(literal.value)) {
      const message = `${showBytes(literal.value)} is compared as it is, not as a regular expression`;
      report('expression/regex-in-text', { message, span: literal.span });
    }
  }
}
