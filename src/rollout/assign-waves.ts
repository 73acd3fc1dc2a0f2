import { createHash } from 'node:crypto';
import { assertNever } from '../data/index.ts';
import { foldedName } from '../model/index.ts';
import type { Labels, Rollout, ScopeRef, WaveSelector } from '../model/index.ts';
import { someNames } from '../text/index.ts';

/** A scope, as far as it decides about its wave. */
export interface WaveMember {
  readonly scope: ScopeRef;
  readonly labels?: Labels;
}

/**
 * A wave, with its scopes in the order of the files. The waves of the files have their numbers there, from 1. What accounts have reaches all of
 * their zones at once, so it is a wave before the zones (0), and what goes of it is one after them.
 */
export type AssignedWave<Member> = (
  | { readonly kind: 'zones'; readonly zones: WaveSelector }
  /** Zones that are in no wave of the files. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'accounts-before' }
  | { readonly kind: 'accounts-after' }
) & { readonly number: number; readonly members: readonly Member[] };

/**
 * Divides scopes into waves. A zone is in the wave that names it, else in the first one that has a label of it, else in the first share that it falls
 * into, else in a last one. So no other scope decides about it: a new zone moves none.
 */
export function assignWaves<Member extends WaveMember>(
  { waves }: Pick<Rollout, 'waves'>,
  members: readonly Member[],
): readonly AssignedWave<Member>[] {
  const accounts = members.filter(({ scope }) => scope.kind === 'account');
  const byWave = new Map<number, Member[]>(waves.map((_wave, index) => [index + 1, []]));
  const rest: Member[] = [];
  for (const member of members) {
    if (member.scope.kind === 'zone') {
      (byWave.get(waveOf(waves, member)) ?? rest).push(member);
    }
  }
  const last = waves.length + (rest.length === 0 ? 0 : 1);
  return [
    ...(accounts.length === 0 ? [] : [{ kind: 'accounts-before', number: 0, members: accounts } as const]),
    ...waves.map(
      ({ zones }, index) =>
        ({ kind: 'zones', zones, number: index + 1, members: byWave.get(index + 1) ?? [] }) as const,
    ),
    ...(rest.length === 0 ? [] : [{ kind: 'rest', number: last, members: rest } as const]),
    ...(accounts.length === 0
      ? []
      : [{ kind: 'accounts-after', number: last + 1, members: accounts } as const]),
  ];
}

/** Returns the number of the wave of the files that a zone is in; 0 when it is in none. Names decide before labels, and these before shares. */
function waveOf(waves: Rollout['waves'], member: WaveMember): number {
  const kinds = ['scopes', 'labels', 'share'] as const;
  const found = kinds
    .map((kind) => waves.findIndex(({ zones }) => zones.kind === kind && isChosen(zones, member)))
    .find((index) => index !== -1);
  return found === undefined ? 0 : found + 1;
}

function isChosen(zones: WaveSelector, { scope, labels = {} }: WaveMember): boolean {
  switch (zones.kind) {
    case 'scopes':
      return zones.scopes.some(
        (named) => named.scope.kind === scope.kind && foldedName(named.scope) === foldedName(scope),
      );
    case 'labels':
      return zones.labels.some(
        ({ name, text }) => Object.hasOwn(labels, name) && (text === null || labels[name] === text),
      );
    case 'share':
      return placeOf(scope) < zones.percent;
    default:
      return assertNever(zones);
  }
}

/** Returns where a zone stands among all, from 0 to below 100, by the hash of its name. Shards divide by another hash, so that neither follows the other. */
function placeOf(scope: ScopeRef): number {
  const hash = createHash('sha256')
    .update(`wave ${foldedName(scope)}`)
    .digest();
  return (hash.readUIntBE(0, 6) / 2 ** 48) * 100;
}

/** Most names of zones or labels in the title of a wave. */
const NAMED = 3;

/** Returns how a wave chooses its scopes, in words. */
export function waveTitle(wave: AssignedWave<unknown>): string {
  switch (wave.kind) {
    case 'accounts-before':
      return 'accounts, before the zones';
    case 'accounts-after':
      return 'accounts, what goes or weakens';
    case 'rest':
      return 'zones of no wave';
    case 'zones':
      return selectorTitle(wave.zones);
    default:
      return assertNever(wave);
  }
}

function selectorTitle(zones: WaveSelector): string {
  switch (zones.kind) {
    case 'scopes':
      return someNames(
        zones.scopes.map(({ scope }) => scope.name),
        NAMED,
      );
    case 'labels':
      return `label ${someNames(
        zones.labels.map(({ name, text }) => (text === null ? name : `${name}=${text}`)),
        NAMED,
      )}`;
    case 'share':
      return `${zones.percent}% of the zones`;
    default:
      return assertNever(zones);
  }
}
