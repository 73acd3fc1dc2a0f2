import { invalidValue } from '../decode/bounds.ts';
import { objectAt, textAt } from '../json.ts';
import type { Refusal } from '../protocol/refusal.ts';
import type { Place } from '../rulesets/place.ts';
import type { StoredRule } from '../rulesets/ruleset.ts';
import type { Store } from '../store/store.ts';
import type { Switches } from '../switches.ts';
import { type ListUse, usesInExpression } from './uses.ts';

/** The lists that the service itself keeps; all hold addresses. */
const MANAGED = ['cf.anonymizer', 'cf.botnetcc', 'cf.malware', 'cf.open_proxies', 'cf.vpn'];

interface Tools {
  readonly store: Store;
  readonly switches: Switches;
}

/**
 * Judges the lists that a rule names: each must exist in the account and hold what the expression compares, and rate
 * limits have bounds of their own (api.md 2.4, 8.3, 9.8). Texts are assumed.
 */
export function listReferencesProblem(
  tools: Tools,
  rule: StoredRule,
  { pointer, place }: { readonly pointer: string; readonly place: Place },
): Refusal | undefined {
  const { definition } = rule;
  const expression = definition.expression ?? '';
  const counting = textAt(definition.ratelimit ?? {}, 'counting_expression') ?? '';
  const account = place.scope.account.id;
  const fromList = objectAt(definition.action_parameters ?? {}, 'from_list');
  return (
    expressionListsProblem(tools, account, { text: expression, pointer: `${pointer}/expression` }) ??
    expressionListsProblem(tools, account, {
      text: counting,
      pointer: `${pointer}/ratelimit/counting_expression`,
    }) ??
    (definition.ratelimit === undefined
      ? undefined
      : rateLimitProblem(definition, { expression, counting, pointer, place })) ??
    (fromList === undefined
      ? undefined
      : useProblem(
          tools,
          account,
          { name: textAt(fromList, 'name') ?? '', kind: 'redirect' },
          { value: fromList['name'], pointer: `${pointer}/action_parameters/from_list/name` },
        ))
  );
}

/** Judges the lists of one expression that an account's zone or the account itself holds. */
function expressionListsProblem(
  tools: Tools,
  account: string,
  { text, pointer }: { readonly text: string; readonly pointer: string },
): Refusal | undefined {
  for (const use of usesInExpression(text)) {
    const problem = useProblem(tools, account, use, { value: text, pointer });
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

function useProblem(
  { store, switches }: Tools,
  account: string,
  use: ListUse,
  { value, pointer }: { readonly value: unknown; readonly pointer: string },
): Refusal | undefined {
  if (switches.lists === 'any') {
    return undefined;
  }
  const list = store.lists.group(account).find(({ name }) => name === use.name);
  const kind = MANAGED.includes(use.name) ? 'ip' : list?.kind;
  if (kind === undefined) {
    return invalidValue(value, pointer, `the list $${use.name} does not exist`);
  }
  return kind === use.kind
    ? undefined
    : invalidValue(value, pointer, `the list $${use.name} holds items of the kind ${kind}, not ${use.kind}`);
}

const RESPONSE_FIELD = /\bhttp\.response\./u;

function rateLimitProblem(
  { ratelimit = {} }: StoredRule['definition'],
  texts: {
    readonly expression: string;
    readonly counting: string;
    readonly pointer: string;
    readonly place: Place;
  },
): Refusal | undefined {
  const named = usesInExpression(texts.expression).length > 0;
  const counted = usesInExpression(texts.counting).length > 0;
  const at = `${texts.pointer}/ratelimit`;
  if (named && ratelimit['requests_to_origin'] === true) {
    return invalidValue(true, `${at}/requests_to_origin`, 'the expression names a list');
  }
  if (counted && RESPONSE_FIELD.test(texts.counting)) {
    return invalidValue(
      texts.counting,
      `${at}/counting_expression`,
      'it cannot combine lists with fields of the response',
    );
  }
  if (texts.place.scope.kind === 'zone') {
    return undefined;
  }
  if (RESPONSE_FIELD.test(texts.counting)) {
    return invalidValue(
      texts.counting,
      `${at}/counting_expression`,
      'rate limiting rules of an account cannot look at the response',
    );
  }
  return named || counted
    ? invalidValue(
        texts.expression,
        `${texts.pointer}/expression`,
        'rate limiting rules of an account cannot name lists',
      )
    : undefined;
}
