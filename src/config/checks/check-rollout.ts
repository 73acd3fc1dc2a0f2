import { foldedName, formatPlace } from '../../model/index.ts';
import type { Diagnostic, NamedZone, Rollout } from '../../model/index.ts';
import { repeatsOf } from '../../data/index.ts';
import { assignWaves } from '../../rollout/index.ts';
import type { WaveMember } from '../../rollout/index.ts';
import { counted, someNames } from '../../text/index.ts';
import { didYouMean } from '../schema/suggest.ts';
import { finding } from '../source/finding.ts';

/** Reports what is wrong with the waves of a project, given all of its scopes. */
export function checkRollout(
  rollout: Rollout | undefined,
  members: readonly WaveMember[],
): readonly Diagnostic[] {
  return rollout === undefined
    ? []
    : [
        ...namedZones(rollout, members),
        ...labelsOfNone(rollout, members),
        ...shareOrder(rollout),
        ...zonesOfNone(rollout, members),
        ...comparesWithNone(rollout),
      ];
}

/** Reports limits by which the last wave cannot be judged: no zone is left then that a wave has not reached. */
function comparesWithNone({ waves, health }: Rollout): readonly Diagnostic[] {
  const last = waves.at(-1);
  const names = (['errors', 'blocked'] as const).filter((name) => {
    const limit = health?.[name];
    return limit?.aboveOthers !== undefined && limit.max === undefined && limit.aboveBefore === undefined;
  });
  return last === undefined
    ? []
    : names.map((name) =>
        finding('rollout/compares-with-none', {
          message: `health.${name} only compares with zones that no wave has reached: after the last wave there is none, so nothing is known of it and apply ends with exit code 4`,
          hint: 'give it `max` or `above_before` too',
          where: last.where,
        }),
      );
}

function namedZones({ waves }: Rollout, members: readonly WaveMember[]): readonly Diagnostic[] {
  const named = waves.flatMap(({ zones }) => (zones.kind === 'scopes' ? zones.scopes : []));
  const keyOf = ({ scope }: WaveMember): string => `${scope.kind}:${foldedName(scope)}`;
  const known = new Set(members.map(keyOf));
  const zones = members.flatMap(({ scope }) => (scope.kind === 'zone' ? [scope.name] : []));
  const wrong = ({ scope, where }: NamedZone): readonly Diagnostic[] => {
    if (scope.kind === 'account') {
      return [
        finding('rollout/account', {
          message: 'an account cannot be in a wave of zones: what it has reaches all of its zones at once',
          hint: 'take it out: accounts are a wave of their own before the zones, and what goes of them comes after the last zone',
          where,
        }),
      ];
    }
    return known.has(keyOf({ scope }))
      ? []
      : [
          finding('rollout/unknown-zone', {
            message: `no file declares the zone ${scope.name}`,
            hint: didYouMean(scope.name, zones) ?? 'name a zone as its file does',
            where,
          }),
        ];
  };
  return [
    ...named.flatMap(wrong),
    ...repeatsOf(named, keyOf).repeats.map(({ item, first }) =>
      finding('rollout/zone-twice', {
        message: `the zone ${item.scope.name} is named twice`,
        hint: `the first time at ${formatPlace(first.where)}; a zone is in one wave`,
        where: item.where,
      }),
    ),
  ];
}

/** Reports labels that no zone carries: a mistyped one would leave a wave without its zones, unnoticed. */
function labelsOfNone({ waves }: Rollout, members: readonly WaveMember[]): readonly Diagnostic[] {
  const zones = members.filter(({ scope }) => scope.kind === 'zone');
  const carried = [
    ...new Set(
      zones.flatMap(({ labels = {} }) => Object.entries(labels).flatMap(([a, b]) => [a, `${a}=${b}`])),
    ),
  ];
  return waves
    .flatMap(({ zones: chosen }) => (chosen.kind === 'labels' ? chosen.labels : []))
    .flatMap(({ name, text, where }) => {
      const label = text === null ? name : `${name}=${text}`;
      return carried.includes(label)
        ? []
        : [
            finding('rollout/unknown-label', {
              message: `no zone carries the label ${label}, so it chooses none`,
              hint: didYouMean(label, carried) ?? 'correct it, or take it out',
              where,
            }),
          ];
    });
}

/** Reports a share that has nothing that those before it lack. */
function shareOrder({ waves }: Rollout): readonly Diagnostic[] {
  let before = 0;
  return waves.flatMap(({ zones, where }) => {
    if (zones.kind !== 'share') {
      return [];
    }
    const reached = before;
    before = Math.max(before, zones.percent);
    return zones.percent > reached
      ? []
      : [
          finding('rollout/share-order', {
            ...(zones.percent === 0
              ? { message: 'a share of 0% has no zones', hint: 'make it larger, or take it out' }
              : {
                  message: `${zones.percent}% has no zones that the ${reached}% before it lack`,
                  hint: 'a share counts those before it in: let each be larger than the one before',
                }),
            where,
          }),
        ];
  });
}

/** Most zones that a finding names. */
const NAMED = 5;

function zonesOfNone(rollout: Rollout, members: readonly WaveMember[]): readonly Diagnostic[] {
  const rest = assignWaves(rollout, members).find(({ kind }) => kind === 'rest');
  const [first] = rollout.waves;
  return rest === undefined || first === undefined
    ? []
    : [
        finding('rollout/zone-of-none', {
          message: `${counted(rest.members.length, 'zone is', 'zones are')} in no wave, and ${rest.members.length === 1 ? 'comes' : 'come'} last, in wave ${rest.number}: ${someNames(
            rest.members.map(({ scope }) => scope.name),
            NAMED,
          )}`,
          hint: 'to say so, let the last wave be `share: 100%`',
          where: rollout.waves.at(-1)?.where ?? first.where,
        }),
      ];
}
