import type { DeclaredRule, RulesetEdit } from '../../config/index.ts';
import { variablesIn, locateKey } from '../../config/index.ts';
import { isTelling, addressKey, causeText, startOf } from '../../model/index.ts';
import { objectOf, textOf } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';

/** Names the rules that an edit removes from a file, because changes that nobody has applied yet are lost with them. */
export function removedRules(edit: RulesetEdit): readonly string[] {
  const stays = stayingItems(edit);
  return edit.ruleset.rules.flatMap((rule, index) =>
    stays.has(index) ? [] : [`${placedName(edit, rule)} is not live`],
  );
}

/** Names the rules whose ref an edit changes, except refs that were mere ids. */
export function renamedRules(edit: RulesetEdit): readonly string[] {
  const items = edit.kind === 'edit' ? edit.items : [];
  return items.flatMap((item) => {
    const rule = item.kind === 'edit' ? edit.ruleset.rules[item.index] : undefined;
    const [old, fresh] = [textOf(rule?.value['ref']), item.kind === 'edit' ? refOf(item.wanted) : ''];
    return rule === undefined || old === '' || !isTelling(old) || old === fresh
      ? []
      : [`${placedName(edit, rule)} is called ${fresh} live`];
  });
}

function refOf(rule: JsonValue): string {
  return textOf(objectOf(rule)['ref']);
}

/** Names the variables that an edit removes from rules that stay, or from the description of their ruleset. */
export function variablesGone(edit: RulesetEdit): readonly string[] {
  if (edit.kind === 'remove') {
    return [];
  }
  const { ruleset, items, description } = edit;
  const ofRules = items.flatMap((item) => {
    const rule = item.kind === 'edit' ? ruleset.rules[item.index] : undefined;
    return rule === undefined || item.kind !== 'edit'
      ? []
      : Object.entries(rule.value).flatMap(([key, value]) =>
          namesGone(value, objectOf(item.wanted)[key]).map(
            (name) => `${placedName(edit, rule)} no longer has \${${name}} in ${key}`,
          ),
        );
  });
  const ofDescription = namesGone(ruleset.value['description'] ?? null, description).map(
    (name) => `${addressKey(ruleset.address)}: its description no longer has \${${name}}`,
  );
  return [...ofRules, ...(description === undefined ? [] : ofDescription)];
}

function namesGone(before: JsonValue, after: JsonValue | undefined): readonly string[] {
  const stay = new Set(variablesIn(after ?? null));
  return [...new Set(variablesIn(before))].filter((name) => !stay.has(name));
}

/** Names a rule with its ruleset and its place in the file. */
export function placedName(
  { ruleset: { address, document } }: RulesetEdit,
  { value, path }: DeclaredRule,
): string {
  return `${addressKey(address)}: ${nameOfRule(value)} (${causeText(startOf(locateKey(document, path)))})`;
}

function stayingItems(edit: RulesetEdit): ReadonlySet<number> {
  const items = edit.kind === 'edit' ? edit.items : [];
  return new Set(items.flatMap((item) => (item.kind === 'insert' ? [] : [item.index])));
}

/** Names the rules that an edit would change, add or remove, for an edit that cannot be made. */
export function changedNames(edit: Extract<RulesetEdit, { readonly kind: 'edit' }>): readonly string[] {
  const stays = stayingItems(edit);
  return [
    ...edit.items.flatMap((item) => (item.kind === 'keep' ? [] : [item.wanted])),
    ...edit.ruleset.rules.flatMap(({ value }, index) => (stays.has(index) ? [] : [value])),
  ].map((rule) => nameOfRule(rule));
}

function nameOfRule(rule: JsonValue): string {
  const { ref, id, use, description } = objectOf(rule);
  const name = [ref, id, use].find((one) => typeof one === 'string');
  return name ?? (typeof description === 'string' ? JSON.stringify(description) : 'a rule without a name');
}
