import { readBody, type ScopedCall } from '../call.ts';
import { invalidValue } from '../decode/bounds.ts';
import { type JsonObject, objectAt, textAt } from '../json.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { groupBody, packageBody, ruleBody } from './body.ts';
import { packageOf, type WafGroup, type WafPackage, wafPackages, type WafRule } from './catalogue.ts';
import { packageNotEditable, wafObjectNotFound } from './errors.ts';
import { openOldWaf } from './gate.ts';
import { answerList, type ListRules } from './list-query.ts';
import { allowedModes, type OldWaf, packageSettings, showGroup, showPackage, showRule } from './old-waf.ts';

const same = (key: string) => (item: JsonObject, value: string) => String(item[key]) === value;

const packageList: ListRules = { filters: { name: same('name') }, orders: ['name'], totalPages: 'unsaid' };

const groupList: ListRules = {
  filters: { name: same('name'), mode: same('mode'), rules_count: same('rules_count') },
  orders: ['mode', 'rules_count'],
  totalPages: 'unsaid',
};

/** The words of the list filter `mode` (api.md 9.4); a rule in its default mode counts as what that means. */
const MODE_WORDS: Readonly<Record<string, readonly string[]>> = {
  DIS: ['disable', 'off'],
  CHL: ['challenge'],
  BLK: ['block'],
  SIM: ['simulate'],
};

const ruleList: ListRules = {
  filters: {
    mode: (item, value) => {
      const mode = item['mode'] === 'default' ? item['default_mode'] : item['mode'];
      return (MODE_WORDS[value] ?? []).includes(String(mode));
    },
    group_id: (item, value) => textAt(objectAt(item, 'group') ?? {}, 'id') === value,
    description: same('description'),
    priority: same('priority'),
  },
  orders: ['priority', 'group_id', 'description'],
  totalPages: 'unsaid',
};

/** GET packages. */
export function listPackages(call: ScopedCall): Answer | Refusal {
  const open = openOldWaf(call, 'Read');
  return isRefusal(open)
    ? open
    : answerList(
        call.query,
        wafPackages.map((each) => showPackage(open.waf, each)),
        packageList,
      );
}

/** GET one package. */
export function getPackage(call: ScopedCall): Answer | Refusal {
  return inPackage(call, 'Read', (waf, each) => result(showPackage(waf, each)));
}

/** PATCH one package: sensitivity and action mode of an anomaly package. */
export function patchPackage(call: ScopedCall): Answer | Refusal {
  return inPackage(call, 'Write', (waf, each) => {
    const body = readBody(call, packageBody);
    if (isRefusal(body)) {
      return body;
    }
    if (each.row.detection === 'traditional') {
      return packageNotEditable(each.row.name);
    }
    const settings = { ...waf.packages[each.id], ...packageSettings(body) };
    const next = { ...waf, packages: { ...waf.packages, [each.id]: settings } };
    return stored(call, next, showPackage(next, each));
  });
}

/** GET the groups of a package. */
export function listGroups(call: ScopedCall): Answer | Refusal {
  return inPackage(call, 'Read', (waf, each) =>
    answerList(
      call.query,
      each.groups.map((group) => showGroup(waf, group)),
      groupList,
    ),
  );
}

/** GET one group. */
export function getGroup(call: ScopedCall): Answer | Refusal {
  return inPackage(call, 'Read', (waf, each) => {
    const group = findGroup(call, each);
    return isRefusal(group) ? group : result(showGroup(waf, group));
  });
}

/** PATCH one group: on or off. */
export function patchGroup(call: ScopedCall): Answer | Refusal {
  return inPackage(call, 'Write', (waf, each) => {
    const group = findGroup(call, each);
    if (isRefusal(group)) {
      return group;
    }
    const body = readBody(call, groupBody);
    if (isRefusal(body)) {
      return body;
    }
    const mode = textAt(body, 'mode') === 'off' ? ('off' as const) : ('on' as const);
    const next = { ...waf, groups: { ...waf.groups, [group.id]: mode } };
    return stored(call, next, showGroup(next, group));
  });
}

/** GET the rules of a package. */
export function listWafRules(call: ScopedCall): Answer | Refusal {
  return inPackage(call, 'Read', (waf, each) => {
    const mode = call.query.get('mode');
    return mode !== null && !Object.hasOwn(MODE_WORDS, mode)
      ? invalidValue(mode, '/mode', `it must be one of ${Object.keys(MODE_WORDS).join(', ')}`)
      : answerList(
          call.query,
          each.rules.map((rule) => showRule(waf, rule)),
          ruleList,
        );
  });
}

/** GET one rule. */
export function getWafRule(call: ScopedCall): Answer | Refusal {
  return inPackage(call, 'Read', (waf, each) => {
    const rule = findRule(call, each);
    return isRefusal(rule) ? rule : result(showRule(waf, rule));
  });
}

/** PATCH one rule: one of its allowed modes. A traditional rule set to `default` is as delivered again. */
export function patchWafRule(call: ScopedCall): Answer | Refusal {
  return inPackage(call, 'Write', (waf, each) => {
    const rule = findRule(call, each);
    if (isRefusal(rule)) {
      return rule;
    }
    const body = readBody(call, ruleBody);
    if (isRefusal(body)) {
      return body;
    }
    const mode = textAt(body, 'mode') ?? '';
    if (!allowedModes(rule).includes(mode)) {
      return invalidValue(mode, '/mode', `it must be one of ${allowedModes(rule).join(', ')}`);
    }
    const { [rule.row.id]: before, ...others } = waf.rules;
    const asDelivered = mode === 'default' || (mode === 'on' && before !== undefined);
    const next = { ...waf, rules: asDelivered ? others : { ...others, [rule.row.id]: mode } };
    return stored(call, next, showRule(next, rule));
  });
}

function inPackage(
  call: ScopedCall,
  access: 'Read' | 'Write',
  work: (waf: OldWaf, each: WafPackage) => Answer | Refusal,
): Answer | Refusal {
  const open = openOldWaf(call, access);
  if (isRefusal(open)) {
    return open;
  }
  const id = call.params['package'] ?? '';
  const each = packageOf(id);
  return each === undefined ? wafObjectNotFound('package', id) : work(open.waf, each);
}

function findGroup(call: ScopedCall, each: WafPackage): WafGroup | Refusal {
  const id = call.params['group'] ?? '';
  return each.groups.find((group) => group.id === id) ?? wafObjectNotFound('group', id);
}

function findRule(call: ScopedCall, each: WafPackage): WafRule | Refusal {
  const id = call.params['rule'] ?? '';
  return each.rules.find((rule) => rule.row.id === id) ?? wafObjectNotFound('rule', id);
}

function stored(call: ScopedCall, next: OldWaf, shown: JsonObject): Answer {
  call.service.store.oldWafs.set(next.zone, next);
  return result(shown);
}
