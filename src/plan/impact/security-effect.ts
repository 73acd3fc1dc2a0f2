import type { RuleContent, ScopeRef, Protection } from '../../model/index.ts';
import { assertNever, isJsonArray, isJsonObject } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { quoted } from '../../text/index.ts';

/** The effect on protection: it protects; it lets something past protection; both, or it cannot be told; or neither. */
export type EffectDirection = 'protects' | 'permits' | 'both' | 'none';

/** Combines several roles into one. */
export function joined(directions: readonly EffectDirection[]): EffectDirection {
  const some = new Set(directions.filter((direction) => direction !== 'none'));
  return some.size > 1 ? 'both' : ([...some][0] ?? 'none');
}

/** A custom ruleset that a rule executes. */
export interface ExecutedRuleset {
  readonly name: string;
  /** Contents that its rules have before or after the plan; undefined when the ruleset was not read. */
  readonly rules: readonly RuleContent[] | undefined;
}

/** Looks up a custom ruleset by its reference in an `execute`; undefined for other rulesets, which protect (api.md 4.4). */
export type ExecutedRulesets = (reference: string) => ExecutedRuleset | undefined;

/** Says a rule with the lists that a plan makes replaced by what live has in their place. */
export type ListsAsBefore = (content: RuleContent) => RuleContent;

/** The scope and phase of a rule, and the custom rulesets that it may execute. */
export interface EffectContext {
  readonly scope: ScopeRef;
  readonly phase: string;
  /** Absent when only the rules themselves are known: any executed ruleset then counts as protecting. */
  readonly executed?: ExecutedRulesets;
  /** The names of custom rulesets by their ids, for reasons, where their rules are not known. */
  readonly names?: ReadonlyMap<string, string>;
  /** Absent where the plan makes no list, or what its lists hold is not known. */
  readonly lists?: ListsAsBefore | undefined;
}

/** What a difference does to protection. Anything not proven neutral or stronger counts as weaker, so `weaker` also stands for "no proof". */
export type SecurityImpact =
  | { readonly kind: 'weaker'; readonly reason: string; readonly isProven: boolean }
  | { readonly kind: 'stronger'; readonly reason: string }
  | { readonly kind: 'same' };

/** The verdict on a difference that does not affect protection. */
export const SAME: SecurityImpact = { kind: 'same' };

/** Less protection; `reason` continues the sentence after the rule's name: `removes block`. */
export function weaker(reason: string): SecurityImpact {
  return { kind: 'weaker', reason, isProven: true };
}

/** No proof that protection is not less: guards take it for less, and reports show it after what is known. `reason` as in `weaker`. */
export function unproven(reason: string): SecurityImpact {
  return { kind: 'weaker', reason, isProven: false };
}

/** At least as much protection, in a way worth reporting; `reason` as in `weaker`. */
export function stronger(reason: string): SecurityImpact {
  return { kind: 'stronger', reason };
}

/** The most reasons in one verdict: overrides can weaken hundreds of managed rules at once. */
const MOST_REASONS = 4;

/**
 * Combines the verdicts on several differences. Weakenings outweigh everything else, and all of them are reported, up to `MOST_REASONS`: those
 * that are known before those that are not proven.
 */
export function together(verdicts: readonly SecurityImpact[]): SecurityImpact {
  if (!verdicts.some(({ kind }) => kind === 'weaker')) {
    return verdicts.find(({ kind }) => kind === 'stronger') ?? SAME;
  }
  const reasonsOf = (isProven: boolean): readonly string[] =>
    verdicts.flatMap((verdict) =>
      verdict.kind === 'weaker' && verdict.isProven === isProven ? [verdict.reason] : [],
    );
  const known = reasonsOf(true);
  const reasons = [...new Set([...known, ...reasonsOf(false)])];
  const more = reasons.length - MOST_REASONS;
  const reason = [...reasons.slice(0, MOST_REASONS), ...(more > 0 ? [`${more} more`] : [])].join('; ');
  return known.length > 0 ? weaker(reason) : unproven(reason);
}

/** Compares numbers of which the higher protects more. */
export function byHeight(before: number, after: number, what: string): SecurityImpact {
  if (before === after) {
    return SAME;
  }
  return after > before ? stronger(`raises ${what}`) : weaker(`lowers ${what}`);
}

/** Compares numbers of which the lower protects more. */
export function byDepth(before: number, after: number, what: string): SecurityImpact {
  if (before === after) {
    return SAME;
  }
  return after < before ? stronger(`lowers ${what}`) : weaker(`raises ${what}`);
}

/** Converts a verdict to the form used in changes. */
export function protectionOf(verdict: SecurityImpact): Protection {
  switch (verdict.kind) {
    case 'weaker':
      return {
        kind: 'weakening',
        reason: verdict.reason,
        ...(verdict.isProven ? {} : { proven: false }),
      };
    case 'stronger':
      return { kind: 'strengthening', reason: verdict.reason };
    case 'same':
      return { kind: 'neutral' };
    default:
      return assertNever(verdict);
  }
}

/** Adds a weakening to what is said of a change. What is proven comes first, and the whole is proven if a part of it is. */
export function alsoWeakening(
  protection: Protection,
  { reason, isProven }: Omit<Extract<SecurityImpact, { readonly kind: 'weaker' }>, 'kind'>,
): Protection {
  const had = protection.kind === 'weakening' ? protection : undefined;
  const isHadProven = had !== undefined && had.proven !== false;
  const reasons =
    had === undefined ? [reason] : isHadProven || !isProven ? [had.reason, reason] : [reason, had.reason];
  const isKnown = isProven || isHadProven;
  return { kind: 'weakening', reason: reasons.join('; '), ...(isKnown ? {} : { proven: false }) };
}

/** One effect of a rule. Equal effects of different rules have the same name. */
export interface SecurityEffect {
  /** Role of the effect when it is newly added. */
  readonly direction: EffectDirection;
  /** Name of the effect in reasons, after `adds` or `removes`. */
  readonly label: string;
  /** What a rule with the effect does, in reasons after `newly` or `no longer`: for effects that read badly as a thing. */
  readonly verb?: string;
  /** Distinguishes effects with the same name. */
  readonly value: JsonValue;
  /** When both effects of one name have a height, the higher one protects more. */
  readonly height?: number;
  /** Whether it depends on what visitors and the origin send if it does harm; it then is not proven, as with the direction `both`. */
  readonly isDoubtful?: boolean;
  /** What a rule with the effect does to every request, if it does: nobody doubts that this harms unless it is meant. */
  readonly toAll?: string;
  /** The reason when another value replaces it and nothing more is known. */
  readonly changed?: string;
}

export type NamedEffect = readonly [name: string, effect: SecurityEffect];

/** A parameter and its surroundings. */
export interface Parameter {
  /** Keys that lead to the parameter, joined with dots. */
  readonly path: string;
  readonly content: RuleContent;
  readonly context: EffectContext;
}

/** Returns the effects of a parameter; none if it does not matter to protection. */
export type ParameterEffects = (value: JsonValue, parameter: Parameter) => readonly NamedEffect[];

/** Readings by parameter key, nested like the parameters. */
export interface Readings {
  readonly [key: string]: ParameterEffects | Readings;
}

/** The reading of a parameter that does not matter to protection. */
const HARMLESS: ParameterEffects = () => [];

/** Returns readings for parameters that do not matter to protection. */
export function harmless(...keys: readonly string[]): Readings {
  return Object.fromEntries(keys.map((key) => [key, HARMLESS]));
}

/** The reading of a parameter whose effect this version does not know. */
const UNKNOWN: ParameterEffects = (value, { path }) => [
  [path, { direction: 'both', label: `${quoted(path)}, whose effect on protection is not known`, value }],
];

/** Returns the reading of a parameter with one effect, whatever its value. */
export function always(direction: EffectDirection, label: string, changed?: string): ParameterEffects {
  return (value, { path }) => [
    [path, { direction, label, value, ...(changed === undefined ? {} : { changed }) }],
  ];
}

/** Returns the reading of a list each of whose items has an effect. */
export function each(direction: EffectDirection, label: (item: string) => string): ParameterEffects {
  return (value, { path }) =>
    (isJsonArray(value) ? value : [value]).map((item): NamedEffect => {
      const text = typeof item === 'string' ? item : JSON.stringify(item);
      return [`${path} ${text}`, { direction, label: label(quoted(text)), value: true }];
    });
}

/**
 * Returns the reading of a setting with known values, from weakest to strongest. `usual` is the value without the rule; when it is not given,
 * another setting decides and it may be any of them, so only the extreme values are proven to raise or lower it.
 */
export function ladder(values: readonly (string | boolean)[], usual?: string | boolean): ParameterEffects {
  const low = usual === undefined ? 0 : values.indexOf(usual) - 1;
  const high = usual === undefined ? values.length - 1 : low + 2;
  const roleAt = (height: number): EffectDirection =>
    height >= high ? 'protects' : height <= low ? 'permits' : 'both';
  return (value, { path }) => {
    const height = values.findIndex((known) => known === value);
    const known = values[height];
    if (known === undefined) {
      return [[path, { direction: 'both', label: path, value }]];
    }
    const direction = known === usual ? 'none' : roleAt(height);
    const set =
      SETTINGS.get(`${path} ${known}`) ??
      (typeof known === 'string'
        ? `sets ${path} to ${known}`
        : `turns ${known ? 'on' : 'off'} ${SETTINGS.get(path) ?? path}`);
    const verb = `${set}${direction === 'both' ? ", while the zone's own setting is not known" : ''}`;
    return [[path, { direction, label: `${path} ${known}`, verb, value, height }]];
  };
}

/** What settings are called in reasons, and what single values of them do. */
const SETTINGS: ReadonlyMap<string, string> = new Map([
  ['automatic_https_rewrites', 'automatic HTTPS rewrites'],
  ['bic', 'Browser Integrity Check'],
  ['cache_key.cache_deception_armor', 'cache deception armor'],
  ['email_obfuscation', 'email obfuscation'],
  ['hotlink_protection', 'hotlink protection'],
  ['opportunistic_encryption', 'opportunistic encryption'],
  ['server_side_excludes', 'server-side excludes'],
  ['ssl off', 'turns off encryption to the origin'],
  ['strip_set_cookie true', 'removes the cookies that the origin sets'],
]);

/** The reading of a setting that protects when it is on. */
export const PROTECTING_SWITCH = ladder([false, true]);

/** Reads all parameters; a parameter without a reading may do anything. */
export function readAll(
  parameters: JsonObject,
  readings: Readings,
  { path, ...around }: Parameter,
): readonly NamedEffect[] {
  return Object.entries(parameters).flatMap(([key, value]) => {
    const parameter = { ...around, path: path === '' ? key : `${path}.${key}` };
    const reading = Object.hasOwn(readings, key) ? readings[key] : undefined;
    if (typeof reading === 'object' && isJsonObject(value)) {
      return readAll(value, reading, parameter);
    }
    return (typeof reading === 'function' ? reading : UNKNOWN)(value, parameter);
  });
}
