import type { Diagnostic } from '../../model/diagnostic.ts';
import type { RuleOwnership } from '../../model/ruleset.ts';
import { formatPlace } from '../../model/source.ts';
import { isOwnedRef } from '../../model/owned-ref.ts';
import { isId } from '../../model/scope.ts';
import type { SourceSpan } from '../../model/source.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { oneOfThese } from '../schema/suggest.ts';
import { aliasAt, locateKey, locateValue } from '../yaml/yaml-document.ts';
import { repeatsOf } from '../../model/repeats.ts';

/** Checks that each `ref` and `id` is unique in its ruleset and, under ownership patterns, that each rule has a `ref` that marks it as owned. */
export function checkRefsAndIds(ruleset: DeclaredRuleset, ownership: RuleOwnership): readonly Diagnostic[] {
  return [
    ...duplicates(ruleset, 'ref', 'config/duplicate-ref'),
    ...duplicates(ruleset, 'id', 'config/duplicate-id'),
    ...(ownership.kind === 'all'
      ? []
      : ruleset.rules.flatMap((rule) => notOwned(ruleset, rule, ownership.patterns))),
  ];
}

function duplicates(
  ruleset: DeclaredRuleset,
  key: 'ref' | 'id',
  code: 'config/duplicate-ref' | 'config/duplicate-id',
): readonly Diagnostic[] {
  const nameOf = ({ value }: DeclaredRule): string | undefined => {
    const name = value[key];
    return typeof name === 'string' ? name : undefined;
  };
  return repeatsOf(ruleset.rules, nameOf).repeats.map(({ item, first }) => {
    const place = placeOfName(ruleset, item, key);
    const same = placeOfName(ruleset, first, key);
    return finding(code, {
      message: `${reasonOf(place, same)} the ${key} ${JSON.stringify(nameOf(item) ?? '')}`,
      hint: `the other one is at ${formatPlace(same.where)}; give each rule its own`,
      where: place.where,
    });
  });
}

/** Where the name of a rule stands: the alias that brings the name, or else the name itself. */
interface NamePlace {
  readonly where: SourceSpan;
  readonly alias?: string;
}

function placeOfName({ document }: DeclaredRuleset, { path }: DeclaredRule, key: 'ref' | 'id'): NamePlace {
  const alias = aliasAt(document, path) ?? aliasAt(document, [...path, key]);
  return alias === undefined
    ? { where: locateValue(document, [...path, key]) }
    : { where: alias.where, alias: alias.name };
}

function reasonOf({ alias }: NamePlace, other: NamePlace): string {
  if (alias === undefined) {
    return 'another rule of this ruleset has';
  }
  return alias === other.alias
    ? `the alias \`*${alias}\` appears twice in this ruleset, so two of its rules have`
    : `the alias \`*${alias}\` repeats a name: another rule of this ruleset has`;
}

function notOwned(
  ruleset: DeclaredRuleset,
  { path, value }: DeclaredRule,
  patterns: readonly string[],
): readonly Diagnostic[] {
  const { ref } = value;
  const allowed = oneOfThese(patterns);
  if (typeof ref !== 'string') {
    return [
      finding('config/ref-not-owned', {
        message: 'the rule has no `ref`, so no ownership pattern matches it',
        hint: `give it a \`ref\` that matches ${allowed}`,
        where: locateKey(ruleset.document, path),
      }),
    ];
  }
  if (isOwnedRef(patterns, ref)) {
    return [];
  }
  const [message, ways] = isId(ref)
    ? [
        `the ref ${JSON.stringify(ref)} is an id, which no pattern with \`*\` matches`,
        `add the id itself to \`ownership.rules\`, or rename it to match ${allowed} with \`adopt: true\``,
      ]
    : [
        `no ownership pattern matches the ref ${JSON.stringify(ref)}`,
        `add it, or a pattern that matches it, to \`ownership.rules\`, or rename it to match ${allowed}`,
      ];
  const hint = `${ways}; if the rule belongs to others, remove it from the file: it stays live`;
  const where = locateValue(ruleset.document, [...path, 'ref']);
  return [finding('config/ref-not-owned', { message, hint, where })];
}
