import type { Diagnostic } from '../../model/index.ts';
import { listOf, objectOf } from '../../data/index.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { finding } from '../source/finding.ts';
import { locateKey } from '../yaml/yaml-document.ts';

/** Reports characteristics of a rate limit that the service refuses together (api.md 8.3). */
export function checkCharacteristics(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const names = listOf(objectOf(value['ratelimit'])['characteristics']);
  const where = (): Diagnostic['where'] => locateKey(document, [...path, 'ratelimit', 'characteristics']);
  return [
    ...(names.includes('ip.src') && names.includes('cf.unique_visitor_id')
      ? [
          finding('config/rate-limit-characteristics', {
            message: '`cf.unique_visitor_id` cannot be used together with `ip.src`',
            hint: 'keep one of them; `cf.unique_visitor_id` tells visitors of one address apart',
            where: where(),
          }),
        ]
      : []),
    ...(names.length === 1 && names[0] === 'cf.colo.id'
      ? [
          finding('config/rate-limit-characteristics', {
            message: 'the rate limit has no characteristic beside `cf.colo.id`, and the service needs one',
            hint: 'add what tells visitors apart, such as `ip.src`',
            where: where(),
          }),
        ]
      : []),
  ];
}
