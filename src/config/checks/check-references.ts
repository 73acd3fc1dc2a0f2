import type { Diagnostic } from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import {
  executedReference,
  formatPlace,
  isAlwaysOn,
  splitReference,
  wellKnownRuleset,
} from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import type { CustomReference, RulesetHead, ScopeGroup } from '../project/desired-scope.ts';
import { rulesetUses } from '../project/desired-scope.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { didYouMean } from '../schema/suggest.ts';
import { repeatsOf } from '../../data/index.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';

/** `custom:` and a slug; the schema reports any other form. */
const CUSTOM = /^custom:([a-z0-9]+(?:-[a-z0-9]+)*)$/;

/** Returns the places where a rule names custom rulesets by their slugs. */
export function customReferences(ruleset: DeclaredRuleset, rule: DeclaredRule): readonly CustomReference[] {
  const phase = executedReference(rule.value) !== undefined ? { phase: ruleset.address.phase } : {};
  return rulesetUses(ruleset, rule).flatMap(({ reference, where }) => {
    const name = CUSTOM.exec(reference)?.[1];
    return name === undefined ? [] : [{ slug: name, ...phase, where }];
  });
}

/**
 * Checks that each `custom:<slug>` names a ruleset that the scope's files declare. An undeclared ruleset may exist at the service, so it is a
 * warning; a ruleset of another phase, or one asked to be deleted, is an error.
 */
export function checkReferences({ files }: ScopeGroup): readonly Diagnostic[] {
  const references = files.flatMap((file) => file.references);
  const declared = references.length === 0 ? new Map() : customRulesets(files.flatMap(({ heads }) => heads));
  return references.flatMap((reference) => checkCustom(reference, declared));
}

/** The custom rulesets of a scope by slug; one slug may stand in several phases. */
type RulesetsBySlug = ReadonlyMap<string, readonly RulesetHead[]>;

function customRulesets(declared: readonly RulesetHead[]): RulesetsBySlug {
  const bySlug = new Map<string, RulesetHead[]>();
  for (const ruleset of declared) {
    const short = ruleset.address.kind === 'custom' ? slug(ruleset.address.name) : '';
    if (short !== '') {
      bySlug.set(short, [...(bySlug.get(short) ?? []), ruleset]);
    }
  }
  return bySlug;
}

function checkCustom(
  { slug: name, phase, where }: CustomReference,
  declared: RulesetsBySlug,
): readonly Diagnostic[] {
  const found = declared.get(name) ?? [];
  const [first] = found;
  if (first === undefined) {
    const close = didYouMean(
      `custom:${name}`,
      [...declared.keys()].map((short) => `custom:${short}`),
    );
    return [
      finding('config/undeclared-ruleset', {
        message: `the files of this scope declare no custom ruleset \`custom:${name}\``,
        hint: close ?? 'declare it under `rulesets`, or make sure that the service has it',
        where,
      }),
    ];
  }
  const fitting = phase === undefined ? first : found.find(({ address }) => address.phase === phase);
  if (fitting === undefined) {
    return [
      finding('config/ruleset-phase', {
        message: `the custom ruleset \`custom:${name}\` belongs to phase ${first.address.phase} and cannot be executed here`,
        hint: `it is declared at ${formatPlace(first.where)}; only the entry point of its own phase executes it`,
        where,
      }),
    ];
  }
  return fitting.absent
    ? [
        finding('config/ruleset-absent', {
          message: `the custom ruleset \`custom:${name}\` is used here, but marked \`absent\``,
          hint: `it is \`absent\` at ${formatPlace(fitting.where)}; remove this use, or the \`absent\``,
          where,
        }),
      ]
    : [];
}

/** Reports a managed ruleset that the entry point of a zone executes more than once, which the service refuses (api.md 4.4). */
export function checkExecutes({ document, address, scope, rules }: DeclaredRuleset): readonly Diagnostic[] {
  // Overrides of DDoS protection are several rules, each with its expression (api.md 5.3).
  if (address.kind !== 'entrypoint' || scope.kind !== 'zone' || isAlwaysOn(address)) {
    return [];
  }
  const enabled = rules.filter(({ value }) => value['enabled'] !== false);
  return repeatsOf(enabled, executedManaged).repeats.map(({ item, first }) =>
    finding('config/repeated-execute', {
      message: `another rule of this zone's entry point already executes ${executedManaged(item) ?? ''}`,
      hint: `the entry point of a zone may execute each managed ruleset once; the other one is at ${formatPlace(locateKey(document, first.path))}`,
      where: locateValue(document, [...item.path, 'action_parameters', 'id']),
    }),
  );
}

/** Returns the managed ruleset that a rule executes; an id that is not well known may be that of a custom one. */
function executedManaged({ value }: DeclaredRule): string | undefined {
  const reference = executedReference(value);
  if (reference === undefined || splitReference(reference)[0] === 'managed') {
    return reference;
  }
  return wellKnownRuleset(reference);
}
