import type { JsonObject, JsonValue } from '../../data/index.ts';
import { isJsonArray, isJsonObject, listOf, objectOf, objectsIn, textOf } from '../../data/index.ts';
import { ENTRYPOINT_KIND, isId, LIST_KINDS, readListItem, settingFacts } from '../../model/index.ts';
import type { ListItem } from '../../model/index.ts';
import type { StatedAddress } from '../terraform/address.ts';
import type { MarkedValues } from '../terraform/marked-texts.ts';
import type { StatedList } from '../terraform/list-resources.ts';
import { readFields } from '../terraform/setting-resources.ts';
import type { StatedSettings } from '../terraform/setting-resources.ts';
import type { LeftInSource } from '../terraform/stated-resources.ts';
import type { StatedComments, StatedRule, StatedRuleset, StatedScope } from '../terraform/stated-rulesets.ts';
import type { OctorulesPhase } from './octorules-sections.ts';
import { OTHER_SECTIONS, PHASE_SECTIONS, SETTING_SECTIONS } from './octorules-sections.ts';

/** What a file of octorules says of its zone or account. */
export interface OctorulesResources {
  readonly rulesets: readonly StatedRuleset[];
  readonly lists: readonly StatedList[];
  readonly settings: readonly StatedSettings[];
  readonly left: readonly LeftInSource[];
}

/** Where a file is, and whose it is. */
export interface OctorulesPlace {
  /** From the folder of the configuration. */
  readonly path: string;
  /** By the name of the zone, or by the name of the file of an account, until it is known live. */
  readonly scope: StatedScope;
  /** The provider that rules may name; null for the file of an account. */
  readonly target: string | null;
  /** Comments by their place, `cloudflare/waf_custom_rules/0`. */
  readonly comments: ReadonlyMap<string, readonly string[]>;
}

const NAMESPACE = 'cloudflare';

/** What nobody marks: in these files, only what looks like a secret is one. */
const UNMARKED: MarkedValues = { texts: new Set(), rules: new Set(), attributes: new Set() };

/** Reads a file with rules: its sections stand under `cloudflare`, or, in files of older versions, at the top. */
export function readOctorulesFile(value: JsonObject, place: OctorulesPlace): OctorulesResources {
  const rulesets: StatedRuleset[] = [];
  const lists: StatedList[] = [];
  const settings: StatedSettings[] = [];
  const left: LeftInSource[] = [];
  const take = <Found>(into: Found[], address: StatedAddress, found: Found | string): void => {
    if (typeof found === 'string') {
      left.push({ address, why: found });
    } else {
      into.push(found);
    }
  };
  for (const { name, section, path } of sectionsOf(value)) {
    const address = addressIn(place, name);
    const phase = PHASE_SECTIONS.get(name);
    const said = SETTING_SECTIONS.get(name);
    if (phase !== undefined) {
      take(rulesets, address, readEntrypoint(section, { address, phase, place, path }));
    } else if (
      (name === 'custom_rulesets' || name === 'lists') &&
      section !== null &&
      !isJsonArray(section)
    ) {
      left.push({ address, why: 'it is no list' });
    } else if (name === 'custom_rulesets') {
      for (const [index, one] of listOf(section).entries()) {
        const own = addressIn(place, `custom_rulesets ${nameOf(one, index)}`);
        take(rulesets, own, readCustom(objectOf(one), { address: own, place, path: `${path}/${index}` }));
      }
    } else if (name === 'lists') {
      for (const [index, one] of listOf(section).entries()) {
        const own = addressIn(place, `lists ${nameOf(one, index)}`);
        take(lists, own, readList(objectOf(one), own, place));
      }
    } else if (said !== undefined && place.scope.kind === 'zone') {
      take(settings, address, readSettings(said(objectOf(section)), address, place));
    } else {
      left.push({ address, why: OTHER_SECTIONS.get(name) ?? 'no such section is known' });
    }
  }
  return { rulesets, lists, settings, left };
}

interface Section {
  readonly name: string;
  readonly section: JsonValue;
  /** Where it stands in the file. */
  readonly path: string;
}

function sectionsOf(value: JsonObject): readonly Section[] {
  return Object.entries(value).flatMap(([name, section]): readonly Section[] =>
    name === NAMESPACE && isJsonObject(section)
      ? Object.entries(section).map(([key, inner]) => ({ name: key, section: inner, path: `${name}/${key}` }))
      : [{ name: name.replace(/^cloudflare[_.]/u, ''), section, path: name }],
  );
}

/** The longest name that an address shows: those come from a file. */
const LONGEST = 100;

function addressIn({ path }: OctorulesPlace, what: string): StatedAddress {
  const instance = `${path}: ${what.slice(0, LONGEST)}`;
  return { instance, resource: instance, type: '', name: '', note: '' };
}

function nameOf(entry: JsonValue, index: number): string {
  const name = textOf(objectOf(entry)['name']);
  return name === '' ? String(index + 1) : name;
}

interface RulesetPlace {
  readonly address: StatedAddress;
  readonly place: OctorulesPlace;
  readonly path: string;
}

function readEntrypoint(
  section: JsonValue,
  { phase, ...at }: RulesetPlace & { readonly phase: OctorulesPhase },
): StatedRuleset | string {
  const { scope } = at.place;
  return rulesetOf(section, {
    ...at,
    action: phase.action,
    head: { id: '', kind: ENTRYPOINT_KIND[scope.kind], phase: phase.phase, name: '', description: '' },
  });
}

function readCustom(entry: JsonObject, at: RulesetPlace): StatedRuleset | string {
  const { id, name, phase, description, rules } = entry;
  const known = PHASE_SECTIONS.get(textOf(phase).replace(/^cloudflare\./u, ''))?.phase ?? textOf(phase);
  if (!/^[a-z0-9_]{1,100}$/u.test(known) || textOf(name) === '') {
    return 'it has no name, or no phase';
  }
  const path = `${at.path}/rules`;
  const own = isId(textOf(id)) ? textOf(id) : '';
  return rulesetOf(rules ?? [], {
    ...at,
    path,
    action: null,
    head: { id: own, kind: 'custom', phase: known, name: textOf(name), description: textOf(description) },
  });
}

type Head = Pick<StatedRuleset, 'id' | 'kind' | 'phase' | 'name' | 'description'>;

function rulesetOf(
  section: JsonValue,
  {
    address,
    place: { scope, target, comments },
    path,
    action,
    head,
  }: RulesetPlace & { readonly action: string | null; readonly head: Head },
): StatedRuleset | string {
  if (!isJsonArray(section) || section.length !== objectsIn(section).length) {
    return 'its rules are no list of mappings';
  }
  const rules: StatedRule[] = [];
  const above = new Map<number, readonly string[]>();
  for (const [index, rule] of objectsIn(section).entries()) {
    const ref = textOf(rule['ref']);
    const odd = ref === '' ? 'no ref' : oddityOf(rule);
    if (odd !== undefined) {
      return `rule ${index + 1} has ${odd}`;
    }
    if (isFor(rule, target)) {
      const lines = comments.get(`${path}/${index}`);
      if (lines !== undefined) {
        above.set(rules.length, lines);
      }
      rules.push(ruleOf(rule, ref, action));
    }
  }
  const said: StatedComments = { above: comments.get(path) ?? [], rules: above };
  return { address, scope, ...head, rules, marked: UNMARKED, hasZeros: false, comments: said };
}

/** What octorules, or the service, refuses of a rule, and a file here would leave out. */
function oddityOf({ description, enabled, octorules }: JsonObject): string | undefined {
  const { included, excluded } = objectOf(octorules);
  if (description !== undefined && typeof description !== 'string') {
    return 'a `description` that octorules cannot send';
  }
  if (enabled !== undefined && typeof enabled !== 'boolean') {
    return 'an `enabled` that octorules cannot send';
  }
  return [included, excluded].some((one) => one !== undefined && one !== null && !isJsonArray(one))
    ? '`included` or `excluded` that is no list'
    : undefined;
}

/** Whether octorules writes a rule with a provider. */
function isFor({ octorules }: JsonObject, target: string | null): boolean {
  const { included, excluded } = objectOf(octorules);
  return target === null || included === undefined || included === null
    ? target === null || !listOf(excluded).includes(target)
    : listOf(included).includes(target);
}

/** Returns a rule as octorules sends it: with what it fills in. */
function ruleOf(rule: JsonObject, ref: string, usual: string | null): StatedRule {
  const { octorules, ...wire } = rule;
  const action = textOf(wire['action'] ?? usual);
  const counted = objectOf(wire['ratelimit']);
  const expression = counted['counting_expression'];
  return {
    id: '',
    ref,
    wire: {
      enabled: true,
      ...wire,
      ...(action === '' ? {} : { action }),
      ...(typeof wire['expression'] === 'string' ? { expression: onOneLine(wire['expression']) } : {}),
      ...(typeof expression === 'string'
        ? { ratelimit: { ...counted, counting_expression: onOneLine(expression) } }
        : {}),
    },
    ...(objectOf(octorules)['ignored'] === true ? { follows: 'live' as const } : {}),
  };
}

/** Blanks outside of quotes count once. */
function onOneLine(expression: string): string {
  return expression
    .replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gu, (_all, quoted: string | undefined) => quoted ?? ' ')
    .trim();
}

function readList(entry: JsonObject, address: StatedAddress, { scope }: OctorulesPlace): StatedList | string {
  const { name, description } = entry;
  const kind = LIST_KINDS.find((one) => one === entry['kind']);
  if (scope.kind !== 'account') {
    return 'it stands in the file of a zone, and lists belong to accounts';
  }
  if (textOf(name) === '' || kind === undefined) {
    return `it has no name, or a kind that is not known: ${JSON.stringify(entry['kind']).slice(0, LONGEST)}`;
  }
  const items: ListItem[] = [];
  if (entry['items'] !== undefined && !isJsonArray(entry['items'])) {
    return 'its items are no list';
  }
  if (listOf(entry['items']).length !== objectsIn(entry['items']).length) {
    return 'one of its items is no mapping';
  }
  for (const item of objectsIn(entry['items'])) {
    const reading = readListItem(kind, item);
    if (reading.kind === 'refused') {
      return `one of its items cannot be declared: ${reading.message}`;
    }
    items.push(reading.item);
  }
  return {
    address,
    accountId: scope.id,
    id: '',
    name: textOf(name),
    kind,
    description: textOf(description),
    items,
    itemAddresses: [],
  };
}

function readSettings(
  { said, unsayable: more }: ReturnType<NonNullable<ReturnType<typeof SETTING_SECTIONS.get>>>,
  address: StatedAddress,
  { scope }: OctorulesPlace,
): StatedSettings | string {
  const read = [...said].map(([name, fields]) => ({ name, ...readFields(settingFacts(name), fields, name) }));
  const settings = read.flatMap(({ name, fields }) => (fields.length === 0 ? [] : [{ name, fields }]));
  const unsayable = [...read.flatMap((one) => one.unsayable), ...more];
  return settings.length === 0
    ? `no file can say ${unsayable.length === 0 ? 'nothing at all' : unsayable.join(', ')}`
    : { address, zoneId: scope.id, settings, extent: 'chosen', unsayable };
}
