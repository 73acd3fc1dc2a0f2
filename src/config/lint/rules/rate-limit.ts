import { namedLists } from '../../../expression/index.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { isJsonObject, listOf } from '../../../model/json.ts';
import { finding } from '../../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { locateKey, locateValue } from '../../yaml/yaml-document.ts';

/** Reports what does not go together in a rate limit, which the schema cannot express (api.md 8.3). */
export function lintRateLimit(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const { ratelimit, expression } = value;
  if (!isJsonObject(ratelimit)) {
    return [];
  }
  const at = [...path, 'ratelimit'];
  const { characteristics } = ratelimit;
  const [list] = typeof expression === 'string' ? namedLists(expression, 'filter') : [];
  const names = listOf(characteristics);
  return [
    ...(list !== undefined && ratelimit['requests_to_origin'] === true
      ? [
          finding('lint/rate-limit-expression', {
            message: `a rate limit whose expression uses the list $${list.name} cannot count only what reaches the origin`,
            hint: 'take `requests_to_origin` away, or write the items of the list into the expression',
            where: locateValue(document, [...at, 'requests_to_origin']),
          }),
        ]
      : []),
    ...(names.includes('ip.src') && names.includes('cf.unique_visitor_id')
      ? [
          finding('lint/rate-limit-characteristics', {
            message: '`cf.unique_visitor_id` cannot be used together with `ip.src`',
            hint: 'keep one of them; `cf.unique_visitor_id` tells visitors of one address apart',
            where: locateKey(document, [...at, 'characteristics']),
          }),
        ]
      : []),
    ...(names.length === 1 && names[0] === 'cf.colo.id'
      ? [
          finding('lint/rate-limit-characteristics', {
            message: 'the rate limit counts all visitors together: it has no characteristic but `cf.colo.id`',
            hint: 'add what tells visitors apart, such as `ip.src`',
            where: locateKey(document, [...at, 'characteristics']),
          }),
        ]
      : []),
  ];
}
