import { namedLists } from '../../../expression/index.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { isJsonObject } from '../../../model/json.ts';
import { finding } from '../../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { locateValue } from '../../yaml/yaml-document.ts';

/** Reports what does not go together in a rate limit, which the schema cannot express (api.md 8.3). */
export function lintRateLimit(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { ratelimit, expression } = value;
  if (!isJsonObject(ratelimit)) {
    return [];
  }
  const [list] = typeof expression === 'string' ? namedLists(expression, 'filter') : [];
  return list === undefined || ratelimit['requests_to_origin'] !== true
    ? []
    : [
        finding('lint/rate-limit-expression', {
          message: `a rate limit whose expression uses the list $${list.name} cannot count only what reaches the origin`,
          hint: 'remove `requests_to_origin`, or write the items of the list into the expression',
          where: locateValue(document, [...path, 'ratelimit', 'requests_to_origin']),
        }),
      ];
}
