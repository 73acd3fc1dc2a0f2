import type { ServiceError, ServiceErrorItem } from '../../api/index.ts';
import { ruleNameOf, ruleName } from '../../model/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { objectOf, textOf, textsIn } from '../../data/index.ts';
import type { Step, LiveRuleset, ServiceRefusal } from '../../model/index.ts';
import type { Write } from '../../plan/index.ts';

/** The step of a write, and the ruleset that the write is made on. */
export interface WrittenStep {
  readonly step: Step;
  readonly live: LiveRuleset | null;
}

/**
 * Returns the errors of a refused write, each attributed to its rule and the place of that rule in the files: by the pointer `/rules/<i>/…` into a
 * list, by the rule of a single operation, or by the expression that the message quotes.
 */
export function refusalsOf(
  error: ServiceError,
  write: Write,
  written: WrittenStep,
): readonly ServiceRefusal[] {
  const items = error.errors.length === 0 ? [{ message: error.message }] : error.errors;
  return items.map((item): ServiceRefusal => {
    const entry = entryOf(item, write);
    return { ...item, ...(entry === null ? {} : ruleAt(entry, written)) };
  });
}

function entryOf(item: ServiceErrorItem, write: Write): JsonObject | null {
  switch (write.kind) {
    case 'create-ruleset':
    case 'put-ruleset': {
      const rules = write.rules ?? [];
      const index = /^\/?rules\/(\d+)(?:\/|$)/.exec(item.pointer ?? '')?.[1];
      return (index === undefined ? quoted(item.message, rules) : rules[Number(index)]) ?? null;
    }
    case 'add-rule':
      return write.rule;
    case 'patch-rule':
      return { ...write.rule, id: write.ruleId };
    case 'delete-rule':
      return { id: write.ruleId };
    default:
      return null;
  }
}

/**
 * Returns the one rule that a message without a pointer is about: its expression is quoted, as in `'<expression>' is not a valid value for …`, or it
 * uses what the zone's plan level does not include (api.md 1.6).
 */
function quoted(message: string, rules: readonly JsonObject[]): JsonObject | undefined {
  const lacking = lackingUse(message);
  const found = rules.filter((rule) => {
    const expression = textOf(rule['expression']);
    return (expression !== '' && message.includes(`'${expression}'`)) || lacking?.(rule) === true;
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Returns a test for rules that use what a message says the zone's plan level does not include; undefined for other messages. */
function lackingUse(message: string): ((rule: JsonObject) => boolean) | undefined {
  const [, what = ''] = /the use of (.+?) is not allowed/.exec(message) ?? [];
  const [, field, action] = /^(?:field ([\w.]+)|the (\w+) action)$/.exec(what) ?? [];
  if (field !== undefined) {
    return (rule) => textsOf(rule).some((text) => uses(text, field));
  }
  if (action !== undefined) {
    return (rule) => rule['action'] === action;
  }
  return what === 'operator Matches'
    ? (rule) => textsOf(rule).some((text) => /\bmatches\b|~/.test(text.replaceAll(QUOTED, '')))
    : undefined;
}

const QUOTED = /"(?:\\.|[^"\\])*"/gs;

/** Returns the texts of a rule that are in the rules language. */
function textsOf({ expression, ratelimit }: JsonObject): readonly string[] {
  const { counting_expression: counting, characteristics } = objectOf(ratelimit);
  return [textOf(expression), textOf(counting), ...textsIn(characteristics)];
}

function uses(text: string, field: string): boolean {
  const at = text.indexOf(field);
  return at !== -1 && !/^[\w.]/.test(text.slice(at + field.length));
}

function ruleAt(
  { id, ref }: JsonObject,
  { step, live }: WrittenStep,
): Pick<ServiceRefusal, 'rule' | 'description' | 'cause'> {
  const change = step.changes.find(
    (one) => (one.kind === 'add' ? one.ref === ref : one.id === id) || (id === undefined && one.ref === ref),
  );
  if (change !== undefined) {
    return { ...ruleNameOf(change), ...('cause' in change ? { cause: change.cause } : {}) };
  }
  const kept = live?.rules.find((rule) => rule.id === id);
  return kept !== undefined
    ? ruleName(kept.ref, kept.content.description)
    : typeof ref === 'string'
      ? { rule: ref }
      : {};
}
