import type { FieldChange } from './field-change.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { TextChange } from './field-change.ts';
import { jsonEqual, mapTexts, mapTextsIn } from './json.ts';
import { secretTexts } from './plain-secrets.ts';
import type { RuleContent } from './rule.ts';
import { contentFromWire, contentToWire } from './rule-fields.ts';
import type { LiveRuleset } from './ruleset.ts';
import { shapedSecrets } from './secret-shapes.ts';
import { OTHER_SECRET_LIKE, SECRET_LIKE } from './sensitive.ts';

/** Texts that are not shown, the longest first, and what stands in place of each. */
export type Concealed = ReadonlyMap<string, string>;

/** What looks like a secret in a rule, and in what the rule becomes: one that is new takes the place of another. */
export function concealedBetween(phase: string, before: JsonObject, after: JsonObject = {}): Concealed {
  const old = new Set(secretTexts(phase, before));
  const all = [...new Set([...old, ...secretTexts(phase, after)])].sort((a, b) => b.length - a.length);
  return new Map(
    all.map((text) => [text, old.size === 0 || old.has(text) ? SECRET_LIKE : OTHER_SECRET_LIKE]),
  );
}

/** What looks like a secret in any of these rules, each with its phase. */
export function concealedInAll(
  rules: readonly (readonly [phase: string, content: RuleContent])[],
): Concealed {
  const texts = new Set(rules.flatMap(([phase, content]) => secretTexts(phase, contentToWire(content))));
  return new Map([...texts].sort((a, b) => b.length - a.length).map((text) => [text, SECRET_LIKE]));
}

/** A text without those. */
export function conceal(text: string, concealed: Concealed): string {
  let shown = text;
  for (const [secret, mark] of concealed) {
    shown = shown.replaceAll(secret, mark);
  }
  return shown;
}

/** A text of no rule as it is shown: its form alone tells a secret. */
export function shownText(text: string): string {
  // Nearly no text has one, and every text of a plan is asked.
  return shapedSecrets(text).length === 0 ? text : conceal(text, concealedBetween('', { description: text }));
}

/** The same of a text that becomes another. */
export function shownChange({ before, after }: TextChange): TextChange {
  return { before: shownText(before), after: shownText(after) };
}

/** A value without those. */
export function concealIn(value: JsonValue, concealed: Concealed): JsonValue {
  return concealed.size === 0 ? value : mapTextsIn(value, (text) => conceal(text, concealed));
}

/** Fields without those. One that differs is seen to differ. */
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

/** A rule's content without those. */
export function concealInContent(content: RuleContent, concealed: Concealed): RuleContent {
  return concealed.size === 0
    ? content
    : contentFromWire(mapTexts(contentToWire(content), (text) => conceal(text, concealed)));
}

/** A rule, as the service has it, without what looks like a secret in it. */
export function shownWire(rule: JsonObject, phase: string): JsonObject {
  const concealed = concealedBetween(phase, rule);
  return concealed.size === 0 ? rule : mapTexts(rule, (text) => conceal(text, concealed));
}

/** The same of a rule's content. */
export function shownContent(content: RuleContent, phase: string): RuleContent {
  return concealInContent(content, concealedBetween(phase, contentToWire(content)));
}

/** The same of a whole ruleset. */
export function shownRuleset(ruleset: LiveRuleset): LiveRuleset {
  const { description, phase, rules } = ruleset;
  return {
    ...ruleset,
    description: shownText(description),
    rules: rules.map((rule) => ({ ...rule, content: shownContent(rule.content, phase) })),
  };
}
