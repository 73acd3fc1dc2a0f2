import type { JsonObject } from '../../data/index.ts';
import { isJsonArray, listOf, objectsIn, textOf } from '../../data/index.ts';
import { ENTRYPOINT_KIND, isId } from '../../model/index.ts';
import type { ScopeKind } from '../../model/index.ts';
import type { StatedAddress } from './address.ts';
import type { MarkedValues } from './marked-texts.ts';
import { markedValues } from './marked-texts.ts';
import type { TerraformInstance } from './read-state.ts';
import { wireRule } from './rule-shape.ts';

/** Where something belongs: by id, or by name where the source has no id and nobody has looked it up yet. */
export interface StatedScope {
  readonly kind: ScopeKind;
  readonly id: string;
}

/** A rule as another tool has it. */
export interface StatedRule {
  /** "" where the state has none. */
  readonly id: string;
  readonly ref: string;
  /** In the form of the service, without what is null. */
  readonly wire: JsonObject;
  /** The tool leaves the rule to others: what it says is what is live. */
  readonly follows?: 'live';
}

/** Comments of the source, above a ruleset and above its rules by their index. */
export interface StatedComments {
  readonly above: readonly string[];
  readonly rules: ReadonlyMap<number, readonly string[]>;
}

/** A ruleset as another tool has it. */
export interface StatedRuleset {
  readonly address: StatedAddress;
  readonly scope: StatedScope;
  /** "" where the source does not say. */
  readonly id: string;
  readonly kind: 'custom' | 'zone' | 'root';
  readonly phase: string;
  readonly name: string;
  readonly description: string;
  readonly rules: readonly StatedRule[];
  readonly marked: MarkedValues;
  /** Whether the state is from a version of the provider that wrote "", 0 and false for what nobody set. */
  readonly hasZeros: boolean;
  /** Absent where they come from elsewhere, if at all. */
  readonly comments?: StatedComments;
}

/** Version 5 of the provider numbers its schemas from here on. */
const SCHEMA_OF_5 = 500;

/** Returns the scope of an instance by the ids that it has; undefined where it has none, or both. */
export function scopeOf({ zone_id: zone, account_id: account }: JsonObject): StatedScope | undefined {
  const [zoneId, accountId] = [textOf(zone), textOf(account)];
  if (isId(zoneId)) {
    return { kind: 'zone', id: zoneId };
  }
  return isId(accountId) ? { kind: 'account', id: accountId } : undefined;
}

/** Reads an instance of `cloudflare_ruleset`, or says why it cannot be read. */
export function readStatedRuleset(instance: TerraformInstance): StatedRuleset | string {
  const { address, values, schemaVersion } = instance;
  const { id, kind, phase, name, description, rules } = values;
  const scope = scopeOf(values);
  if (scope === undefined || !isId(textOf(id))) {
    return 'the state has no id of it, or none of its zone or account';
  }
  if (kind !== 'custom' && kind !== ENTRYPOINT_KIND[scope.kind]) {
    return `it is a ruleset of the kind ${JSON.stringify(kind ?? null)}, which no file declares`;
  }
  if (!/^[a-z0-9_]{1,100}$/u.test(textOf(phase))) {
    return 'the state has no phase of it';
  }
  if (rules !== null && rules !== undefined && !isJsonArray(rules)) {
    return 'its rules are no list';
  }
  if (listOf(rules).length !== objectsIn(rules).length) {
    return 'one of its rules is no object';
  }
  return {
    address,
    scope,
    id: textOf(id),
    kind,
    phase: textOf(phase),
    name: textOf(name),
    description: textOf(description),
    rules: objectsIn(rules).map((rule) => ({
      id: textOf(rule['id']),
      ref: textOf(rule['ref']),
      wire: wireRule(rule),
    })),
    marked: markedValues(instance, 'rules'),
    hasZeros: schemaVersion < SCHEMA_OF_5,
  };
}
