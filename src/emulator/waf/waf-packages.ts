import { param, readBody } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import { invalidValue, notFound, decline, refuse } from '../protocol/refusal.ts';
import { byValue } from '../listing/list-page.ts';
import { objectAt, textAt } from '../protocol/wire-object.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import type { Handle } from '../call/route.ts';
import type { OldWaf } from '../records/old-records.ts';
import {
  groupBody,
  packageBody,
  ruleBody,
  openOldWaf,
  answerList,
  allowedModes,
  modeAsDelivered,
  showGroup,
  showPackage,
  showRule,
} from './old-waf-view.ts';
import { packageOf, wafPackages } from './waf-catalogue.ts';
import type { WafGroup, WafPackage, WafRule } from './waf-catalogue.ts';
import type { OrderedListRules } from './old-waf-view.ts';

const same = (key: string) => byValue((item: WireObject) => String(item[key]));

const packageList: OrderedListRules = {
  narrowings: { name: same('name') },
  orders: ['name'],
  totalPages: 'unsaid',
};

const groupList: OrderedListRules = {
  narrowings: { name: same('name'), mode: same('mode'), rules_count: same('rules_count') },
  orders: ['mode', 'rules_count'],
  totalPages: 'unsaid',
};

/** The values of the list filter `mode` (api.md 9.4), with the modes that each selects; `default` counts as the default mode. */
const MODE_WORDS: Readonly<Record<string, readonly string[]>> = {
  DIS: ['disable', 'off'],
  CHL: ['challenge'],
  BLK: ['block'],
  SIM: ['simulate'],
};

const ruleList: OrderedListRules = {
  narrowings: {
    mode: (value) => (item) => {
      const mode = item['mode'] === 'default' ? item['default_mode'] : item['mode'];
      return (MODE_WORDS[value] ?? []).includes(String(mode));
    },
    group_id: byValue((item) => textAt(objectAt(item, 'group') ?? {}, 'id') ?? ''),
    description: same('description'),
    priority: same('priority'),
  },
  orders: ['priority', 'group_id', 'description'],
  totalPages: 'unsaid',
};

/** GET packages. */
export function listPackages(call: ScopedCall): Answer {
  const { waf } = openOldWaf(call, 'Read');
  return answerList(
    call.query,
    wafPackages.map((each) => showPackage(waf, each)),
    packageList,
  );
}

/** GET one package. */
export const getPackage = inPackage('Read', (_call, waf, each) => result(showPackage(waf, each)));

/** PATCH one package: changes the sensitivity and action mode of an anomaly package. */
export const patchPackage = inPackage('Write', (call, waf, each) => {
  const body = readBody(call, packageBody);
  if (each.row.detection === 'traditional') {
    // Only anomaly packages have settings (api.md 9.4).
    throw refuse(400, `the package ${each.row.name} cannot be modified`);
  }
  const settings = { ...waf.packages[each.id], ...body };
  const next = { ...waf, packages: { ...waf.packages, [each.id]: settings } };
  return stored(call, next, showPackage(next, each));
});

/** GET the groups of a package. */
export const listGroups = inPackage('Read', (call, waf, each) =>
  answerList(
    call.query,
    each.groups.map((group) => showGroup(waf, group)),
    groupList,
  ),
);

/** GET one group. */
export const getGroup = inPackage('Read', (call, waf, each) => result(showGroup(waf, findGroup(call, each))));

/** PATCH one group: switches it on or off. */
export const patchGroup = inPackage('Write', (call, waf, each) => {
  const group = findGroup(call, each);
  const { mode } = readBody(call, groupBody);
  const next = { ...waf, groups: { ...waf.groups, [group.id]: mode } };
  return stored(call, next, showGroup(next, group));
});

/** GET the rules of a package. */
export const listWafRules = inPackage('Read', (call, waf, each) => {
  const mode = call.query.get('mode');
  if (mode !== null && !Object.hasOwn(MODE_WORDS, mode)) {
    throw invalidValue(mode, '/mode', `it must be one of ${Object.keys(MODE_WORDS).join(', ')}`);
  }
  return answerList(
    call.query,
    each.rules.map((rule) => showRule(waf, rule)),
    ruleList,
  );
});

/** GET one rule. */
export const getWafRule = inPackage('Read', (call, waf, each) => result(showRule(waf, findRule(call, each))));

/** PATCH one rule: sets one of its allowed modes. */
export const patchWafRule = inPackage('Write', (call, waf, each) => {
  const rule = findRule(call, each);
  const { mode } = readBody(call, ruleBody);
  if (!allowedModes(rule).includes(mode)) {
    throw invalidValue(mode, '/mode', `it must be one of ${allowedModes(rule).join(', ')}`);
  }
  const { [rule.row.id]: _before, ...others } = waf.rules;
  const next = {
    ...waf,
    rules: mode === modeAsDelivered(rule) ? others : { ...others, [rule.row.id]: mode },
  };
  return stored(call, next, showRule(next, rule));
});

function inPackage(
  access: Access,
  work: (call: ScopedCall, waf: OldWaf, each: WafPackage) => Answer,
): Handle {
  return (call) => {
    const { waf } = openOldWaf(call, access);
    const id = param(call, 'package');
    return work(call, waf, packageOf(id) ?? decline(notFound('WAF package', id)));
  };
}

function findGroup(call: ScopedCall, each: WafPackage): WafGroup {
  const id = param(call, 'group');
  return each.groups.find((group) => group.id === id) ?? decline(notFound('WAF group', id));
}

function findRule(call: ScopedCall, each: WafPackage): WafRule {
  const id = param(call, 'rule');
  return each.rules.find((rule) => rule.row.id === id) ?? decline(notFound('WAF rule', id));
}

function stored(call: ScopedCall, next: OldWaf, shown: WireObject): Answer {
  call.service.store.oldWafs.set(next.zone, next);
  return result(shown);
}
