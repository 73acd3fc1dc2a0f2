import { isJsonObject } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import type { SourceSpan } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import type { FilledText, ValuePath, Graft, WrittenWindow } from '../yaml/yaml-document.ts';
import { locateKey, locateValue, pathKey, throughUses } from '../yaml/yaml-document.ts';
import { COMPOSE_LIMITS } from './composition.ts';
import type { Composition } from './composition.ts';
import { isWindow } from '../project/rule-window.ts';
import { fillRule, fillValue } from './fill-text.ts';
import { fillingAt, placeOf } from './composition-site.ts';
import type { Site } from './composition-site.ts';
import { mayHaveVariables } from './template.ts';
import { usedPack } from './use-pack.ts';
import type { PackUse } from './use-pack.ts';

/** A list of rules with its packs put in. */
export interface ExpandedRules {
  readonly values: readonly JsonValue[];
  /** Where each rule is written, by index. */
  readonly grafts: readonly Graft[];
  /** Texts that variables were put into, by the path key of the rule's index and the path in the rule. */
  readonly filled: ReadonlyMap<string, FilledText | 'broken'>;
}

interface Expansion {
  readonly composition: Composition;
  readonly phase: string;
  readonly values: JsonValue[];
  readonly grafts: Graft[];
  readonly filled: Map<string, FilledText | 'broken'>;
  /** Uses of packs so far; counted because a use without rules, or a wrong one, costs time and memory as well. */
  uses: number;
}

/**
 * Puts packs and variables into a list of rules. A malformed item stays, so that the schema reports it; a wrong use has its finding and brings no
 * rules.
 */
export function expandRules(
  items: readonly JsonValue[],
  at: {
    readonly site: Site;
    readonly path: ValuePath;
    readonly phase: string;
    readonly composition: Composition;
  },
): ExpandedRules {
  const { site, path, phase, composition } = at;
  const expansion: Expansion = { composition, phase, values: [], grafts: [], filled: new Map(), uses: 0 };
  expandList(items, { site, path }, expansion);
  return expansion;
}

interface SitePath {
  readonly site: Site;
  readonly path: ValuePath;
}

function expandList(items: readonly JsonValue[], { site, path }: SitePath, expansion: Expansion): void {
  for (const [index, item] of items.entries()) {
    const place = { site, path: [...path, index] };
    if (isFull(place, expansion)) {
      return;
    }
    if (!isJsonObject(item)) {
      put(item, place, expansion);
    } else if (isUse(item)) {
      expandUse(item, place, expansion);
    } else {
      putRule(item, place, expansion);
    }
  }
}

const KEYS_OF_USE: ReadonlySet<string> = new Set(['use', 'with', 'prefix', 'active']);

/** Whether an item is a use of a pack in the form that the schema accepts; the schema reports any other form. */
function isUse(item: JsonObject): item is PackUse {
  const { use, with: given, prefix } = item;
  return (
    typeof use === 'string' &&
    (given === undefined || isJsonObject(given)) &&
    (prefix === undefined || (typeof prefix === 'string' && prefix !== '')) &&
    Object.keys(item).every((key) => KEYS_OF_USE.has(key))
  );
}

function expandUse(item: PackUse, { site, path }: SitePath, expansion: Expansion): void {
  expansion.uses += 1;
  expansion.composition.brought.rules += site.chain.length === 0 ? 0 : 1;
  const used = usedPack(item, { site, path, phase: expansion.phase, composition: expansion.composition });
  if (used === undefined) {
    return;
  }
  const { pack, parameters, prefix } = used;
  const { document, via, variables, chain, windows } = site;
  const limit = windowOfUse(item, { site, path }, expansion);
  if (limit === 'broken') {
    return;
  }
  expandList(
    pack.rules,
    {
      site: {
        document: pack.document,
        via: [locateValue(document, [...path, 'use']), ...via],
        variables,
        parameters,
        prefix: site.prefix + prefix,
        chain: [...chain, pack],
        windows: limit === undefined ? windows : [...windows, limit],
      },
      path: ['rules'],
    },
    expansion,
  );
}

/** Returns the window of a use with variables put in. A malformed one makes the use an item that the schema reports. */
function windowOfUse(
  item: PackUse,
  place: SitePath,
  expansion: Expansion,
): WrittenWindow | 'broken' | undefined {
  const { active } = item;
  if (active === undefined) {
    return undefined;
  }
  const { site, path } = place;
  const { composition, filled, values } = expansion;
  const at = [...path, 'active'];
  const number = values.length;
  const texts = new Map<string, FilledText | 'broken'>();
  const value = fillValue(
    active,
    fillingAt(site, at, {
      composition,
      filled: (inner, text) => texts.set(pathKey([number, 'active', ...inner]), text),
    }),
  );
  if (isJsonObject(value) && isWindow(value)) {
    return { place: placeOf(site, at), value };
  }
  for (const [key, text] of texts) {
    filled.set(key, text);
  }
  put({ ...item, active: value }, place, expansion);
  return 'broken';
}

function putRule(rule: JsonObject, place: SitePath, expansion: Expansion): void {
  const { composition, values, filled } = expansion;
  const { site, path } = place;
  composition.brought.rules += site.chain.length === 0 ? 0 : 1;
  const number = values.length;
  const whole = mayHaveVariables(rule)
    ? fillRule(
        rule,
        fillingAt(site, path, {
          composition,
          filled: (inner, text) => filled.set(pathKey([number, ...inner]), text),
        }),
      )
    : rule;
  const { ref } = whole;
  put(
    site.prefix !== '' && typeof ref === 'string' ? { ...whole, ref: site.prefix + ref } : whole,
    place,
    expansion,
  );
}

function put(value: JsonValue, { site, path }: SitePath, { values, grafts }: Expansion): void {
  values.push(value);
  grafts.push(placeOf(site, path));
}

/** Whether the limit on rules is reached; reported once for each outermost use of a pack. */
function isFull({ site, path }: SitePath, { composition, values, uses }: Expansion): boolean {
  const inRuleset = values.length + uses >= COMPOSE_LIMITS.rulesOfRuleset;
  if (site.chain.length === 0 || (!inRuleset && composition.brought.rules < COMPOSE_LIMITS.rules)) {
    return false;
  }
  const [most, what] = inRuleset
    ? [COMPOSE_LIMITS.rulesOfRuleset, 'a ruleset']
    : [COMPOSE_LIMITS.rules, 'the project'];
  if (
    !composition.diagnostics.some(({ code, where }) => code === 'pack/too-many-rules' && sameUse(where, site))
  ) {
    composition.diagnostics.push(
      finding('pack/too-many-rules', {
        message: `packs produce more than ${most} rules in ${what}`,
        hint: 'use fewer packs inside packs',
        where: throughUses(locateKey(site.document, path), site.via),
      }),
    );
  }
  return true;
}

function sameUse(where: SourceSpan | undefined, { via }: Site): boolean {
  const [a, b] = [where?.via?.at(-1), via.at(-1)];
  return a?.file === b?.file && a?.start.line === b?.start.line;
}
