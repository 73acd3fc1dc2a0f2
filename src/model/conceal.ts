import type { JsonObject, JsonValue } from '../data/index.ts';
import { jsonEqual, mapTexts, mapTextsIn } from '../data/index.ts';
import type { FieldChange, TextChange } from './field-change.ts';
import { secretTexts, shapedSecrets } from './plain-secrets.ts';
import type { RuleContent } from './rule.ts';
import { contentFromWire, contentToWire } from './rule.ts';
import type { LiveRuleset } from './ruleset.ts';
import { OTHER_SECRET_LIKE, SECRET_LIKE } from './sensitive.ts';

/** Texts to conceal, longest first, each with the text shown in its place. */
export type Concealed = ReadonlyMap<string, string>;

/**
 * Collects the texts that look like secrets in a rule before and after a change. A secret that only `after` has is shown as another one
 * (`OTHER_SECRET_LIKE`) if `before` has one too.
 */
export function concealedBetween(phase: string, before: JsonObject, after: JsonObject = {}): Concealed {
  const old = new Set(secretTexts(phase, before));
  const all = [...new Set([...old, ...secretTexts(phase, after)])].sort((a, b) => b.length - a.length);
  return new Map(
    all.map((text) => [text, old.size === 0 || old.has(text) ? SECRET_LIKE : OTHER_SECRET_LIKE]),
  );
}

/** Collects the texts that look like secrets in any of these rules. */
export function concealedInAll(
  rules: readonly (readonly [phase: string, content: RuleContent])[],
): Concealed {
  const texts = new Set(rules.flatMap(([phase, content]) => secretTexts(phase, contentToWire(content))));
  return new Map([...texts].sort((a, b) => b.length - a.length).map((text) => [text, SECRET_LIKE]));
}

/** Replaces concealed texts in a text. */
export function conceal(text: string, concealed: Concealed): string {
  let shown = text;
  for (const [secret, mark] of concealed) {
    shown = shown.replaceAll(secret, mark);
  }
  return shown;
}

/** Conceals the secrets in a text that belongs to no rule; they are recognised by their form alone. */
export function shownText(text: string): string {
  // Checked first since every text of a plan comes through here and hardly any has a secret.
  return shapedSecrets(text).length === 0 ? text : conceal(text, concealedBetween('', { description: text }));
}

/** Conceals the secrets in both texts of a change (`shownText`). */
export function shownChange({ before, after }: TextChange): TextChange {
  return { before: shownText(before), after: shownText(after) };
}

/** Replaces concealed texts in all texts of a JSON value. */
export function concealIn(value: JsonValue, concealed: Concealed): JsonValue {
  return concealed.size === 0 ? value : mapTextsIn(value, (text) => conceal(text, concealed));
}

/** Replaces concealed texts in field changes. If both values of a field become equal thereby, the new one is marked as another secret. */
export function concealInFields(
  fields: readonly FieldChange[],
  concealed: Concealed,
): readonly FieldChange[] {
  return concealed.size === 0
    ? fields
    : fields.map((field): FieldChange => {
        if (field.kind === 'added') {
          return { ...field, after: concealIn(field.after, concealed) };
        }
        const before = concealIn(field.before, concealed);
        if (field.kind === 'removed') {
          return { ...field, before };
        }
        const after = concealIn(field.after, concealed);
        return { ...field, before, after: jsonEqual(before, after) ? differing(after) : after };
      });
}

function differing(value: JsonValue): JsonValue {
  return mapTextsIn(value, (text) => text.replaceAll(SECRET_LIKE, OTHER_SECRET_LIKE));
}

/** Replaces concealed texts in a rule's content. */
export function concealInContent(content: RuleContent, concealed: Concealed): RuleContent {
  return concealed.size === 0
    ? content
    : contentFromWire(mapTexts(contentToWire(content), (text) => conceal(text, concealed)));
}

/** Conceals what looks like a secret in a rule in wire form. */
export function shownWire(rule: JsonObject, phase: string): JsonObject {
  const concealed = concealedBetween(phase, rule);
  return concealed.size === 0 ? rule : mapTexts(rule, (text) => conceal(text, concealed));
}

/** Conceals what looks like a secret in a rule's content. */
export function shownContent(content: RuleContent, phase: string): RuleContent {
  return concealInContent(content, concealedBetween(phase, contentToWire(content)));
}

/** Conceals what looks like a secret in a ruleset's description and rules. */
export function shownRuleset(ruleset: LiveRuleset): LiveRuleset {
  const { description, phase, rules } = ruleset;
  return {
    ...ruleset,
    description: shownText(description),
    rules: rules.map((rule) => ({ ...rule, content: shownContent(rule.content, phase) })),
  };
}
