import { allLists } from '../../expression/named-lists.ts';
import type { NamedList } from '../../expression/named-lists.ts';
import { invalidValue } from '../protocol/templates.ts';
import { objectAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Place } from '../call/place.ts';
import type { StoredRule } from '../records/ruleset.ts';
import type { Store } from '../store/store.ts';
import type { Switches } from '../environment/switches.ts';

/** The lists that the vendor maintains; all of them hold addresses. */
const MANAGED = ['cf.anonymizer', 'cf.botnetcc', 'cf.malware', 'cf.open_proxies', 'cf.vpn'];

/** A list that a rule names, and the kind of items that it must hold there. */
type ListUse = Pick<NamedList, 'name' | 'holds'>;

interface Tools {
  readonly store: Store;
  readonly switches: Switches;
}

/**
 * Checks the lists that a rule names: each must exist in the account and hold what the expression compares. Rate limits
 * have further restrictions (api.md 2.4, 8.3, 9.8). Texts are assumed.
 */
export function checkListReferences(
  tools: Tools,
  rule: StoredRule,
  { pointer, place }: { readonly pointer: string; readonly place: Place },
): void {
  const { definition } = rule;
  const expression = definition.expression ?? '';
  const counting = textAt(definition.ratelimit ?? {}, 'counting_expression') ?? '';
  const account = place.scope.account.id;
  const check = (uses: readonly ListUse[], where: { readonly value: unknown; readonly pointer: string }) => {
    for (const use of uses) {
      checkUse(tools, account, use, where);
    }
  };
  check(allLists(expression, 'filter'), { value: expression, pointer: `${pointer}/expression` });
  check(allLists(counting, 'filter'), {
    value: counting,
    pointer: `${pointer}/ratelimit/counting_expression`,
  });
  if (definition.ratelimit !== undefined) {
    checkListsInRateLimit(definition.ratelimit, { expression, counting, pointer });
  }
  if (place.kind === 'root' && place.phase === 'http_ratelimit') {
    checkScope(expression, `${pointer}/expression`);
  }
  const fromList = objectAt(definition.action_parameters ?? {}, 'from_list');
  if (fromList !== undefined) {
    const name = textAt(fromList, 'name') ?? '';
    const where = { value: name, pointer: `${pointer}/action_parameters/from_list/name` };
    check([{ name, holds: 'redirect' }], where);
  }
}

function checkUse(
  { store, switches }: Tools,
  account: string,
  use: ListUse,
  { value, pointer }: { readonly value: unknown; readonly pointer: string },
): void {
  if (switches.lists === 'any') {
    return;
  }
  const list = store.lists.group(account).find(({ name }) => name === use.name);
  const kind = MANAGED.includes(use.name) ? 'ip' : list?.kind;
  if (kind === undefined) {
    throw invalidValue(value, pointer, `the list $${use.name} does not exist`);
  }
  if (kind !== use.holds) {
    const reason = `the list $${use.name} holds items of the kind ${kind}, not ${use.holds}`;
    throw invalidValue(value, pointer, reason);
  }
}

const RESPONSE_FIELD = /\bhttp\.response\./u;

function checkListsInRateLimit(
  ratelimit: JsonObject,
  texts: {
    readonly expression: string;
    readonly counting: string;
    readonly pointer: string;
  },
): void {
  const named = allLists(texts.expression, 'filter').length > 0;
  const counted = allLists(texts.counting, 'filter').length > 0;
  const at = `${texts.pointer}/ratelimit`;
  if (named && ratelimit['requests_to_origin'] === true) {
    throw invalidValue(true, `${at}/requests_to_origin`, 'the expression names a list');
  }
  if (counted && RESPONSE_FIELD.test(texts.counting)) {
    throw invalidValue(
      texts.counting,
      `${at}/counting_expression`,
      'it cannot combine lists with fields of the response',
    );
  }
}

/** The scope of an account's rate limits is the condition of the rule that executes them (api.md 8.3). */
function checkScope(expression: string, at: string): void {
  if (RESPONSE_FIELD.test(expression)) {
    throw invalidValue(expression, at, 'the scope of rate limiting rules cannot look at the response');
  }
  if (allLists(expression, 'filter').length > 0) {
    throw invalidValue(expression, at, 'the scope of rate limiting rules cannot name lists');
  }
}
