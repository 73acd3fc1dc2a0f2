import type { Comparison, RegexLiteral } from '../language/ast.ts';
import { printRegex } from '../print/literal.ts';
import { showBytes } from '../language/source.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';
import { fieldOf } from '../language/field-tests.ts';

const META = /[\\^$.|?*+()[\]{}]/u;
const HOST_FIELD = /^(?:http\.host|http\.referer|(?:raw\.)?http\.request\.full_uri)$/u;
const BARE_DOT = /[a-zA-Z0-9]\.[a-zA-Z0-9]/u;

/** Reports regular expressions that match less or more than they seem to. */
export function checkPatterns({ comparisons }: Subject, report: Report): void {
  for (const comparison of comparisons) {
    if (comparison.right.kind === 'regex') {
      checkPattern(comparison, comparison.right, report);
    }
  }
}

function checkPattern({ left }: Comparison, regex: RegexLiteral, report: Report): void {
  const { pattern, form, span } = regex;
  if (!META.test(pattern)) {
    const hint = 'contains does the same without a regular expression';
    report('expression/plain-regex', {
      message: `${showBytes(pattern)} has nothing but plain characters`,
      span,
      hint,
    });
  }
  // Escaped pairs are removed first, so that an escaped dot is not taken for a bare one.
  const isHost = HOST_FIELD.test(fieldOf(left) ?? '');
  if (isHost && BARE_DOT.test(pattern.replaceAll(/\\[^]/g, '\\'))) {
    const message = `the dot in ${showBytes(pattern)} matches any character`;
    report('expression/unescaped-dot', { message, span });
  }
  if (form === 'quoted' && pattern.includes('\\')) {
    const replacement = showBytes(printRegex(regex));
    const message = 'backslashes in a quoted regular expression are easily misread';
    report('expression/quoted-regex', { message, span, fix: { span, replacement } });
  }
}
