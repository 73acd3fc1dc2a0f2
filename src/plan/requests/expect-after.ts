import { assertNever, jsonEqual } from '../../data/index.ts';
import type { FieldChange, NormalisedRule, RuleContent, LiveRuleset } from '../../model/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { canonicalContent, contentFromWire, contentToWire, identicalContent } from '../../model/index.ts';
import { carryOver } from '../compare/carry.ts';
import { compareContent, fieldChanges, valueAt } from '../compare/compare-rules.ts';
import { oneLine } from '../../text/index.ts';
import type { Anchor, Write } from './writes.ts';

/** A rule as it should be after a write; `id` is null when the service assigns one. */
export interface ExpectedRule {
  readonly id: string | null;
  readonly ref: string;
  readonly content: RuleContent;
}

/** A ruleset as it should be after a write. */
export interface Expectation {
  readonly description: string;
  readonly rules: readonly ExpectedRule[];
}

/** A difference between the service's answer and what was asked for. */
export type Deviation =
  | { readonly kind: 'missing'; readonly ref: string }
  | { readonly kind: 'unexpected'; readonly ref: string }
  | { readonly kind: 'order' }
  | { readonly kind: 'description' }
  | { readonly kind: 'id'; readonly ref: string; readonly expected: string; readonly actual: string }
  | { readonly kind: 'content'; readonly ref: string; readonly fields: readonly FieldChange[] };

/** Returns the ruleset as it should be after a write on `before` (null: there is none yet); null when it should be gone. */
export function expectAfter(before: LiveRuleset | null, write: Write): Expectation | null {
  const rules: readonly ExpectedRule[] = before?.rules ?? [];
  const description = before?.description ?? '';
  switch (write.kind) {
    case 'create-ruleset':
      return { description: write.description, rules: writtenAll(write.rules, rules) };
    case 'put-ruleset':
      return {
        description: write.description ?? description,
        rules: write.rules === null ? rules : writtenAll(write.rules, rules),
      };
    case 'add-rule':
      return { description, rules: insert(rules, written(write.rule, knownRules(rules)), write.behind) };
    case 'patch-rule':
      return { description, rules: patched(rules, write) };
    case 'delete-rule':
      return { description, rules: rules.filter((rule) => rule.id !== write.ruleId) };
    case 'delete-ruleset':
      return null;
    default:
      return assertNever(write);
  }
}

function writtenAll(wires: readonly JsonObject[], rules: readonly ExpectedRule[]): readonly ExpectedRule[] {
  const known = knownRules(rules);
  return wires.map((wire) => written(wire, known));
}

/** Rules by id and by `ref`; of several with the same one, the first. */
interface KnownRules {
  readonly byId: ReadonlyMap<string | null, ExpectedRule>;
  readonly byRef: ReadonlyMap<string, ExpectedRule>;
}

function knownRules(rules: readonly ExpectedRule[]): KnownRules {
  const backwards = rules.toReversed();
  return {
    byId: new Map(backwards.map((rule) => [rule.id, rule])),
    byRef: new Map(backwards.map((rule) => [rule.ref, rule])),
  };
}

/** Returns the rule that a PUT entry leads to: matched by id, then by ref, else a new one (api.md 6.1). */
function written(wire: JsonObject, { byId, byRef }: KnownRules): ExpectedRule {
  const { id, ref } = wire;
  const same = typeof id === 'string' ? byId.get(id) : typeof ref === 'string' ? byRef.get(ref) : undefined;
  if (same !== undefined && wire['action'] === undefined) {
    return same;
  }
  return {
    id: same?.id ?? null,
    ref: typeof ref === 'string' ? ref : (same?.ref ?? ''),
    content: contentFromWire(wire),
  };
}

function patched(
  rules: readonly ExpectedRule[],
  write: Extract<Write, { kind: 'patch-rule' }>,
): readonly ExpectedRule[] {
  const next = rules.map((rule) =>
    rule.id === write.ruleId && write.rule !== null
      ? written({ id: write.ruleId, ...write.rule }, knownRules(rules))
      : rule,
  );
  const moved = next.find((rule) => rule.id === write.ruleId);
  return write.behind === null || moved === undefined
    ? next
    : insert(
        next.filter((rule) => rule !== moved),
        moved,
        write.behind,
      );
}

function insert(rules: readonly ExpectedRule[], rule: ExpectedRule, behind: Anchor): readonly ExpectedRule[] {
  const at =
    behind.kind === 'first'
      ? 0
      : rules.findIndex((other) =>
          behind.kind === 'live' ? other.id === behind.id : other.ref === behind.ref,
        ) + 1;
  return [...rules.slice(0, at), rule, ...rules.slice(at)];
}

/**
 * Lists how the ruleset in the service's answer deviates from the expected one. Values that the service fills in, or spells in its own way, are
 * no deviation: the planner sees no difference there either.
 */
export function deviations(expected: Expectation, actual: Expectation): readonly Deviation[] {
  const found: Deviation[] = [];
  const byRef = new Map(actual.rules.map((rule) => [rule.ref, rule]));
  const refs = new Set(expected.rules.map((rule) => rule.ref));
  for (const rule of expected.rules) {
    const live = byRef.get(rule.ref);
    if (live === undefined) {
      found.push({ kind: 'missing', ref: rule.ref });
      continue;
    }
    if (rule.id !== null && live.id !== null && rule.id !== live.id) {
      found.push({ kind: 'id', ref: rule.ref, expected: rule.id, actual: live.id });
    }
    const comparison = compareContent(carryOver(rule.content, live.content).content, live.content);
    if (comparison.kind === 'different') {
      found.push({ kind: 'content', ref: rule.ref, fields: comparison.fields });
    }
  }
  found.push(
    ...actual.rules
      .filter((rule) => !refs.has(rule.ref))
      .map((rule): Deviation => ({ kind: 'unexpected', ref: rule.ref })),
  );
  const order = (rules: readonly { readonly ref: string }[]): string =>
    JSON.stringify(rules.map((rule) => rule.ref));
  if (found.length === 0 && order(expected.rules) !== order(actual.rules)) {
    found.push({ kind: 'order' });
  }
  if (expected.description !== actual.description) {
    found.push({ kind: 'description' });
  }
  return found;
}

/**
 * Returns the fields that the service stores in another form than they were sent, in rules that do not deviate: what `normalise` makes equal,
 * respelled expressions, values that the service chose. Values that it fills into every such rule are left out: that a skip is logged unless
 * the file says otherwise is no news.
 */
export function normalisedRules(expected: Expectation, actual: LiveRuleset): readonly NormalisedRule[] {
  const byRef = new Map(actual.rules.map((rule) => [rule.ref, rule]));
  return expected.rules.flatMap((rule): readonly NormalisedRule[] => {
    const live = byRef.get(rule.ref);
    if (live === undefined || identicalContent(rule.content, live.content)) {
      return [];
    }
    const usual = canonicalContent(rule.content);
    const fields = fieldChanges(contentToWire(rule.content), contentToWire(live.content)).filter(
      (field) => field.kind !== 'added' || !jsonEqual(valueAt(usual, field.path), field.after),
    );
    return fields.length === 0 ? [] : [{ rule: rule.ref, fields }];
  });
}

/** A deviation as one line of text. */
export function describeDeviation(deviation: Deviation): string {
  switch (deviation.kind) {
    case 'missing':
      return `rule ${oneLine(deviation.ref)} is not there`;
    case 'unexpected':
      return `rule ${oneLine(deviation.ref)} was not expected`;
    case 'order':
      return 'the rules are in another order';
    case 'description':
      return 'the description differs';
    case 'id':
      return `rule ${oneLine(deviation.ref)} has the id ${deviation.actual} instead of ${deviation.expected}`;
    case 'content':
      return `rule ${oneLine(deviation.ref)} differs in ${deviation.fields.map((field) => field.path).join(', ')}`;
    default:
      return assertNever(deviation);
  }
}
