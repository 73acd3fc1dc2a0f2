import type { Diagnostic } from '../../model/diagnostic.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import { slug } from '../../model/slug.ts';
import { formatPlace } from '../../model/source.ts';
import type { SourceSpan } from '../../model/source.ts';
import { finding } from '../finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { didYouMean } from '../schema/suggest.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';

/** `custom:` and a slug; anything else has its finding from the schema. */
const CUSTOM = /^custom:([a-z0-9]+(?:-[a-z0-9]+)*)$/;

/** The custom rulesets of a scope by slug; one slug may stand in several phases. */
export type CustomRulesets = ReadonlyMap<string, readonly DeclaredRuleset[]>;

/** Sorts the custom rulesets of a scope by slug. */
export function customRulesets(declared: readonly DeclaredRuleset[]): CustomRulesets {
  const bySlug = new Map<string, DeclaredRuleset[]>();
  for (const ruleset of declared) {
    const short = ruleset.address.kind === 'custom' ? slug(ruleset.address.name) : '';
    if (short !== '') {
      bySlug.set(short, [...(bySlug.get(short) ?? []), ruleset]);
    }
  }
  return bySlug;
}

/**
 * Whether `custom:<slug>` leads to a ruleset of the scope's files. One that they do not declare may live
 * at the service, so that is a warning; one of another phase, or one asked to be deleted, can't be right.
 */
export function checkReferences(
  ruleset: DeclaredRuleset,
  rule: DeclaredRule,
  declared: CustomRulesets,
): readonly Diagnostic[] {
  return referencesOf(ruleset, rule).flatMap(({ text, where, executes }) => {
    const name = CUSTOM.exec(text)?.[1];
    const phase = executes ? ruleset.address.phase : undefined;
    return name === undefined ? [] : checkCustom(name, { where, declared, phase });
  });
}

interface Reference {
  readonly text: string;
  readonly where: SourceSpan;
  readonly executes: boolean;
}

function referencesOf({ document }: DeclaredRuleset, { path, value }: DeclaredRule): readonly Reference[] {
  const { action, action_parameters: parameters } = value;
  if (!isJsonObject(parameters)) {
    return [];
  }
  const at = [...path, 'action_parameters'];
  const { id, rulesets, rules } = parameters;
  if (action === 'execute' && typeof id === 'string') {
    return [{ text: id, where: locateValue(document, [...at, 'id']), executes: true }];
  }
  if (action !== 'skip') {
    return [];
  }
  const listed = isJsonArray(rulesets) ? rulesets : [];
  return [
    ...listed.flatMap((text, index) =>
      typeof text === 'string'
        ? [{ text, where: locateValue(document, [...at, 'rulesets', index]), executes: false }]
        : [],
    ),
    ...(isJsonObject(rules) ? Object.keys(rules) : []).map((text) => ({
      text,
      where: locateKey(document, [...at, 'rules', text]),
      executes: false,
    })),
  ];
}

interface CustomContext {
  readonly where: SourceSpan;
  readonly declared: CustomRulesets;
  /** The phase in which it is executed. */
  readonly phase: string | undefined;
}

function checkCustom(name: string, { where, declared, phase }: CustomContext): readonly Diagnostic[] {
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
  return fitting.value['absent'] === true
    ? [
        finding('config/ruleset-absent', {
          message: `the custom ruleset \`custom:${name}\` is used here and asked to be deleted`,
          hint: `it is \`absent\` at ${formatPlace(fitting.where)}; remove this use, or the \`absent\``,
          where,
        }),
      ]
    : [];
}
