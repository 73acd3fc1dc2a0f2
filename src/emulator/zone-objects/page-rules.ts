import { checkPermission } from '../call/call.ts';
import type { Call } from '../call/call.ts';
import { integer, list, object, opaque, text } from '../decode/shape.ts';
import type { ObjectShape } from '../decode/shape.ts';
import { isObject, listAt, numberAt, objectAt, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { refuse } from '../protocol/refusal.ts';
import type { Refusal } from '../protocol/refusal.ts';
import { checkWord } from '../listing/pages.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { deletedId } from './family.ts';
import type { ObjectFamily } from './family.ts';
import { actionsProblems } from './page-rule-actions.ts';
import { showObject } from './zone-object.ts';
import type { ZoneObject } from '../records/zone-object.ts';

/** The body of a page rule: JSON types only; bounds are checked afterwards. */
const pageRuleBody: ObjectShape = object({
  id: opaque,
  created_on: opaque,
  modified_on: opaque,
  targets: list(object({ target: text(), constraint: object({ operator: text(), value: text() }) })),
  actions: list(object({ id: text(), value: opaque })),
  priority: integer(),
  status: text(),
});

/** Page rules (api.md 9.7); the service's defaults are priority 1 and disabled (newest schema). */
export const pageRules: ObjectFamily = {
  name: 'page_rules',
  noun: 'page rule',
  path: '/pagerules',
  changes: ['PUT', 'PATCH'],
  quota: {
    of: 'page_rules',
    binds: 'additions',
    exceeded: (max) => validationFailed([`the limit of ${max} page rules has been reached`]),
  },
  body: pageRuleBody,
  checkAccess: (call, access) => checkPermission(call, access, ['Page Rules']),
  list: listPageRules,
  fill: (body, { stamp, before }) => {
    checkPageRule(body);
    return {
      targets: listAt(body, 'targets'),
      actions: listAt(body, 'actions'),
      priority: numberAt(body, 'priority') ?? 1,
      status: textAt(body, 'status') ?? 'disabled',
      created_on: before === undefined ? stamp : before['created_on'],
      modified_on: stamp,
    };
  },
  deleted: deletedId,
};

/** Refuses a decoded body that is not valid; the messages list all problems. */
function checkPageRule(body: JsonObject): void {
  const targets = listAt(body, 'targets').filter(isObject);
  const problems = [
    ...(targets.length === 1 ? [] : ['exactly one target is required']),
    ...targets.flatMap(targetProblems),
    ...actionsProblems(listAt(body, 'actions')),
    ...(['active', 'disabled', undefined].includes(textAt(body, 'status'))
      ? []
      : ['status must be active or disabled']),
    ...((numberAt(body, 'priority') ?? 1) < 1 ? ['priority must be at least 1'] : []),
  ];
  if (problems.length > 0) {
    throw validationFailed(problems);
  }
}

function targetProblems(target: JsonObject): readonly string[] {
  const constraint = objectAt(target, 'constraint') ?? {};
  return [
    ...(textAt(target, 'target') === 'url' ? [] : ['target must be url']),
    ...(textAt(constraint, 'operator') === 'matches' ? [] : ['operator must be matches']),
    ...((textAt(constraint, 'value') ?? '') === '' ? ['the url of a target cannot be blank'] : []),
  ];
}

// The code and text of the error are as users report them; the texts of the messages are assumed.
function validationFailed(problems: readonly string[]): Refusal {
  return refuse(400, 'Page Rule validation failed: See messages for details.', {
    code: 1004,
    messages: problems.map((message) => ({ code: 1, message, type: null })),
  });
}

/** The possible values of the query parameters. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  status: ['active', 'disabled'],
  order: ['priority', 'status'],
  direction: ['desc', 'asc'],
  match: ['all', 'any'],
};

/**
 * GET page rules: all in one answer, without pages (api.md 1.3). As in recorded answers, the highest priority comes
 * first, and without `status` active rules are included, although the schema says that disabled rules are the default.
 */
function listPageRules(call: Call, all: readonly ZoneObject[]): Answer {
  for (const [name, words] of Object.entries(WORDS)) {
    checkWord(call.query, name, words);
  }
  const status = call.query.get('status');
  const sign = call.query.get('direction') === 'asc' ? 1 : -1;
  const compare = call.query.get('order') === 'status' ? byStatus : byPriority;
  const rules = all
    .filter(({ body }) => status === null || textAt(body, 'status') === status)
    .toSorted((a, b) => sign * compare(a, b));
  return result(rules.map(showObject));
}

function byPriority(a: ZoneObject, b: ZoneObject): number {
  return (numberAt(a.body, 'priority') ?? 0) - (numberAt(b.body, 'priority') ?? 0);
}

function byStatus(a: ZoneObject, b: ZoneObject): number {
  return (textAt(a.body, 'status') ?? '').localeCompare(textAt(b.body, 'status') ?? '');
}
