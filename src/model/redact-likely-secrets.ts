import type { JsonObject, JsonValue } from '../data/index.ts';
import { jsonEqual, mapTexts, mapTextsIn } from '../data/index.ts';
import type { FieldChange, TextChange } from './field-change.ts';
import { secretTexts, shapedSecrets } from './plain-secrets.ts';
import type { RuleContent } from './rule.ts';
import { contentFromWire, contentToWire } from './rule.ts';
import type { LiveRuleset } from './ruleset.ts';
import { OTHER_SECRET_LIKE, SECRET_LIKE } from './sensitive.ts';

/** Texts to redact, longest first, each with the text shown in its place. */
export type Redactions = ReadonlyMap<string, string>;

/**
 * Collects the texts that look like secrets in a rule before and after a change. A secret that only `after` has is shown as another one
 * (`OTHER_SECRET_LIKE`) if `before` has one too.
 */
export function redactionsBetween(phase: string, before: JsonObject, after: JsonObject = {}): Redactions {
  const old = new Set(secretTexts(phase, before));
  const all = [...new Set([...old, ...secretTexts(phase, after)])].sort((a, b) => b.length - a.length);
  return new Map(
    all.map((text) => [text, old.size === 0 || old.has(text) ? SECRET_LIKE : OTHER_SECRET_LIKE]),
  );
}

/** Collects the texts that look like secrets in any of these rules. */
export function redactionsInAll(
  rules: readonly (readonly [phase: string, content: RuleContent])[],
): Redactions {
  const texts = new Set(rules.flatMap(([phase, content]) => secretTexts(phase, contentToWire(content))));
  return new Map([...texts].sort((a, b) => b.length - a.length).map((text) => [text, SECRET_LIKE]));
}

/** Replaces redacted texts in a text. */
export function redactText(text: string, redactions: Redactions): string {
  let shown = text;
  for (const [secret, mark] of redactions) {
    shown = shown.replaceAll(secret, mark);
  }
  return shown;
}

/** Redacts the secrets in a text that belongs to no rule; they are recognised by their form alone. */
export function shownText(text: string): string {
  // Checked first since every text of a plan comes through here and hardly any has a secret.
  return shapedSecrets(text).length === 0
    ? text
    : redactText(text, redactionsBetween('', { description: text }));
}

/** Redacts the secrets in both texts of a change (`shownText`). */
export function shownChange({ before, after }: TextChange): TextChange {
  return { before: shownText(before), after: shownText(after) };
}

/** Replaces redacted texts in all texts of a JSON value. */
export function redactIn(value: JsonValue, redactions: Redactions): JsonValue {
  return redactions.size === 0 ? value : mapTextsIn(value, (text) => redactText(text, redactions));
}

/** Replaces redacted texts in field changes. If both values of a field become equal thereby, the new one is marked as another secret. */
export function redactFields(fields: readonly FieldChange[], redactions: Redactions): readonly FieldChange[] {
  return redactions.size === 0
    ? fields
    : fields.map((field): FieldChange => {
        if (field.kind === 'added') {
          return { ...field, after: redactIn(field.after, redactions) };
        }
        const before = redactIn(field.before, redactions);
        if (field.kind === 'removed') {
          return { ...field, before };
        }
        const after = redactIn(field.after, redactions);
        return { ...field, before, after: jsonEqual(before, after) ? differing(after) : after };
      });
}

function differing(value: JsonValue): JsonValue {
  return mapTextsIn(value, (text) => text.replaceAll(SECRET_LIKE, OTHER_SECRET_LIKE));
}

/** Replaces redacted texts in a rule's content. */
export function redactContent(content: RuleContent, redactions: Redactions): RuleContent {
  return redactions.size === 0
    ? content
    : contentFromWire(mapTexts(contentToWire(content), (text) => redactText(text, redactions)));
}

/** Redacts what looks like a secret in a rule in wire form. */
export function shownWire(rule: JsonObject, phase: string): JsonObject {
  const redactions = redactionsBetween(phase, rule);
  return redactions.size === 0 ? rule : mapTexts(rule, (text) => redactText(text, redactions));
}

/** Redacts what looks like a secret in a rule's content. */
export function shownContent(content: RuleContent, phase: string): RuleContent {
  return redactContent(content, redactionsBetween(phase, contentToWire(content)));
}

/** Redacts what looks like a secret in a ruleset's description and rules. */
export function shownRuleset(ruleset: LiveRuleset): LiveRuleset {
  const { description, phase, rules } = ruleset;
  return {
    ...ruleset,
    description: shownText(description),
    rules: rules.map((rule) => ({ ...rule, content: shownContent(rule.content, phase) })),
  };
}
