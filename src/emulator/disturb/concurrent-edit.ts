import { namedId } from '../environment/service-clock.ts';
import type { User } from '../records/directory-record.ts';
import { isObject, listAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { latest } from '../records/ruleset-record.ts';
import type { StoredRule, StoredRuleset } from '../records/ruleset-record.ts';
import { entryPointOf } from '../rulesets/visible-phases.ts';
import type { EmulatedService } from '../call/service.ts';
import { namedIn } from '../store/store.ts';
import type { Store } from '../store/store.ts';
import type { Change, FaultEffect, FaultRequest } from '../faults/fault.ts';
import { ownerOf, phaseOf } from '../faults/fault.ts';
import { dispatch } from '../call/dispatch.ts';
import type { Dispatched } from '../call/dispatch.ts';
import { envelope } from '../protocol/answer.ts';
import { noRoute } from '../protocol/refusal.ts';
import type { Route } from '../call/route.ts';
import { routes } from '../interface/interface-routes.ts';

/** A request by somebody else. */
interface ForeignRequest {
  readonly method: string;
  /** The path below the base URL, with its query if there is one. */
  readonly path: string;
  readonly body?: WireObject | readonly unknown[] | undefined;
  /** The e-mail address of who sends it; that of the owner unless given. */
  readonly by?: string | undefined;
}

/** Carries out a request by a user with all rights. The request costs no budget, is not recorded, and no fault strikes it. */
function sendAsSomebody(service: EmulatedService, { method, path, body, by }: ForeignRequest): Dispatched {
  const url = new URL(path, 'http://service.test');
  const user = userCalled(service, by);
  for (const route of routes) {
    const params = route.method === method ? paramsOf(route, url.pathname) : undefined;
    if (params !== undefined && user !== undefined) {
      const call = {
        service,
        credential: { user },
        query: url.searchParams,
        params,
        contentType: 'application/json',
        bodyText: body === undefined ? '' : JSON.stringify(body),
      };
      const ray = service.newRay();
      return dispatch(route, call, { from: 'dash', path: url.pathname, userAgent: BROWSER, ray });
    }
  }
  return { envelope: envelope(noRoute(url.pathname)), wrote: false };
}

/** What a browser says of itself. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Returns the user of an e-mail address, who need not be in the seed; the owner unless one is named. */
function userCalled({ store }: EmulatedService, by: string | undefined): User | undefined {
  const users = store.users.all();
  return by === undefined
    ? users[0]
    : (users.find(({ email }) => email === by) ?? { id: namedId('user', by), email: by, key: '' });
}

function paramsOf(route: Route, path: string): Readonly<Record<string, string>> | undefined {
  const found = patternOf(route.path).exec(path);
  return found === null ? undefined : { ...found.groups };
}

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  const source = path.replaceAll(
    /:(\w+)(?:\{((?:[^{}]|\{[^{}]*\})*)\})?/gu,
    (_, name: string, pattern: string | undefined) => `(?<${name}>${pattern ?? '[0-9a-f]{32}'})`,
  );
  const known = patterns.get(path) ?? new RegExp(`^${source}$`, 'u');
  patterns.set(path, known);
  return known;
}

/** The outcome of an edit by somebody else. */
export interface Edited {
  readonly wrote: boolean;
  readonly detail: string;
}

/**
 * Writes as another user in the dashboard would: through the service's own operations, which make a new version. Scope
 * and phase default to those of the request that the fault strikes. An edit that is not possible changes nothing, and
 * `detail` says why.
 */
export function performEdit(
  service: EmulatedService,
  effect: Extract<FaultEffect, { kind: 'edit' }>,
  facts: FaultRequest,
): Edited {
  const request = requestOf(service, effect, facts);
  if (typeof request === 'string') {
    return { wrote: false, detail: request };
  }
  const { envelope, wrote } = sendAsSomebody(service, { ...request, by: effect.by });
  const told = `${request.method} ${request.path}: ${envelope.status}`;
  return { wrote, detail: envelope.status < 400 ? told : `${told} ${envelope.body ?? ''}` };
}

function requestOf(
  service: EmulatedService,
  effect: Extract<FaultEffect, { kind: 'edit' }>,
  facts: FaultRequest,
): ForeignRequest | string {
  const { change } = effect;
  if (change.kind === 'request') {
    return change;
  }
  const { store } = service;
  const owner = effect.scope === undefined ? ownerOf(facts.path) : namedOwner(store, effect.scope);
  if (owner === undefined) {
    return `there is no zone or account ${effect.scope ?? 'in the path of the request'}`;
  }
  if (change.kind === 'create_ruleset') {
    return { method: 'POST', path: `/${owner}/rulesets`, body: change.ruleset };
  }
  const ruleset =
    change.kind === 'delete_ruleset' && change.ruleset !== undefined
      ? namedRuleset(store, owner, change.ruleset)
      : rulesetOf(store, owner, { phase: effect.phase, facts });
  return ruleset === undefined
    ? 'there is no such ruleset'
    : changeRequest(service, change, { owner, ruleset });
}

function changeRequest(
  service: EmulatedService,
  change: Exclude<Change, { kind: 'request' | 'create_ruleset' }>,
  { owner, ruleset }: { readonly owner: string; readonly ruleset: StoredRuleset },
): ForeignRequest | string {
  const path = `/${owner}/rulesets/${ruleset.id}`;
  if (change.kind === 'delete_ruleset') {
    return { method: 'DELETE', path };
  }
  if (change.kind === 'add') {
    const position = change.position === undefined ? {} : { position: change.position };
    return { method: 'POST', path: `${path}/rules`, body: { ...change.rule, ...position } };
  }
  const rule = namedRule(latest(ruleset).rules, change.rule);
  if (rule === undefined) {
    return `there is no rule ${change.rule}`;
  }
  const at = `${path}/rules/${rule.id}`;
  switch (change.kind) {
    case 'delete':
      return { method: 'DELETE', path: at };
    case 'move':
      return { method: 'PATCH', path: at, body: { position: change.position } };
    case 'patch':
      break;
  }
  return { method: 'PATCH', path: at, body: { ...shownRule(service, ruleset, rule.id), ...change.set } };
}

/** Returns a rule as answers show it, which is what a dashboard form would submit. */
function shownRule(service: EmulatedService, ruleset: StoredRuleset, id: string): WireObject {
  const shown: unknown = JSON.parse(service.render.full(ruleset));
  const rules = isObject(shown) ? listAt(shown, 'rules').filter(isObject) : [];
  return rules.find((rule) => rule['id'] === id) ?? {};
}

function namedOwner(store: Store, name: string): string | undefined {
  const zone = namedIn(store.zones, name);
  const account = namedIn(store.accounts, name);
  if (zone !== undefined) {
    return `zones/${zone.id}`;
  }
  return account === undefined ? undefined : `accounts/${account.id}`;
}

function namedRuleset(store: Store, owner: string, name: string): StoredRuleset | undefined {
  return store.rulesets.group(owner).find((each) => each.id === name || each.name === name);
}

function rulesetOf(
  store: Store,
  owner: string,
  { phase, facts }: { readonly phase: string | undefined; readonly facts: FaultRequest },
): StoredRuleset | undefined {
  const id = /\/rulesets\/([0-9a-f]{32})(?:\/|$)/u.exec(facts.path)?.[1];
  const byId = id === undefined ? undefined : store.rulesets.get(id);
  return phase === undefined && byId?.owner === owner
    ? byId
    : entryPointOf(store, owner, phase ?? phaseOf(facts, store) ?? '');
}

function namedRule(rules: readonly StoredRule[], name: string): StoredRule | undefined {
  return (
    rules.find((rule) => rule.id === name || rule.definition.ref === name) ??
    rules.find((rule) => rule.definition.description === name) ??
    (/^\d+$/u.test(name) ? rules[Number(name) - 1] : undefined)
  );
}
