import { escapeVariables } from '../compose/template.ts';
import type { JsonObject } from '../../model/json.ts';
import { addressOfRuleset } from '../../model/ruleset.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import type { Scope, ScopeKind } from '../../model/scope.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import { ruleDocument } from './rule-document.ts';
import { documentText } from './scope-text.ts';
import type { FileNote } from './scope-text.ts';

/** Returns a live ruleset as a file would declare it: YAML that can be pasted into one. */
export function rulesetYaml(scope: Scope, ruleset: LiveRuleset): string {
  const { value, notes } = rulesetDocument(ruleset, scope.kind);
  const { kind, phase } = ruleset;
  const path: ValuePath = kind === 'custom' ? ['rulesets', 0] : ['entrypoints', phase];
  const body = kind === 'custom' ? { rulesets: [value] } : { entrypoints: { [phase]: value } };
  return documentText({ [scope.kind]: scope.name, ...body }, under(path, notes));
}

/** Returns a live ruleset as a file declares it, below its phase or among the custom rulesets. */
export function rulesetDocument(
  ruleset: LiveRuleset,
  kind: ScopeKind,
): { readonly value: JsonObject; readonly notes: readonly FileNote[] } {
  const { phase } = ruleset;
  const [description, name] = [escapeVariables(ruleset.description), escapeVariables(ruleset.name)];
  const address = addressOfRuleset(ruleset);
  const rules = ruleset.rules.map((rule) => ruleDocument(rule, { kind, address }));
  return {
    value: {
      ...(address.kind === 'custom' ? { name, phase } : {}),
      ...(description === '' ? {} : { description }),
      rules: rules.map(({ value }) => value),
    },
    notes: rules.flatMap(({ notes }, index) => under(['rules', index], notes)),
  };
}

/** Puts a path in front of the paths of notes. */
export function under(path: ValuePath, notes: readonly FileNote[]): readonly FileNote[] {
  return notes.map((note) => ({ ...note, path: [...path, ...note.path] }));
}
