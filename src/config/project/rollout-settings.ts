import type { HealthGate, HealthLimit, HealthProbe, Rollout, WaveSelector } from '../../model/index.ts';
import type {
  Health as HealthDocument,
  LimitOfHealth,
  Probe,
  ProjectDocument,
  Wave,
} from '../../model/generated/documents.ts';
import { secondsOf } from '../../text/index.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import { locateValue } from '../yaml/yaml-document.ts';

/** The keys of `health` and their values unless the files give others, in seconds and requests. */
const USUAL_HEALTH = { minRequests: 1000, delay: 300, window: 600, status: 200 } as const;

/** Reads `rollout` of a valid project document; undefined where it has none. */
export function readRollout(document: YamlDocument, { rollout }: ProjectDocument): Rollout | undefined {
  return rollout === undefined
    ? undefined
    : {
        waves: rollout.waves.map((wave, index) => {
          const path = ['rollout', 'waves', index];
          return { zones: selectorOf(document, wave, path), where: locateValue(document, path) };
        }),
        soak: secondsOf(rollout.soak ?? '0s'),
        ...(rollout.health === undefined ? {} : { health: gateOf(rollout.health) }),
        onFailure: rollout.on_failure ?? 'stop',
      };
}

function selectorOf(
  document: YamlDocument,
  { scopes, labels = [], share }: Wave,
  path: ValuePath,
): WaveSelector {
  if (scopes !== undefined) {
    return {
      kind: 'scopes',
      scopes: scopes.map((text, index) => ({
        ...namedScope(text),
        where: locateValue(document, [...path, 'scopes', index]),
      })),
    };
  }
  return share === undefined
    ? {
        kind: 'labels',
        labels: labels.map((label, index) => {
          const [, name = label, text = null] = /^([^=]+)=(.+)$/u.exec(label) ?? [];
          return { name, text, where: locateValue(document, [...path, 'labels', index]) };
        }),
      }
    : { kind: 'share', percent: percentOf(share) };
}

/** Reads a scope as `--target` names it: with its kind or without, which is that of a zone. */
function namedScope(text: string): { readonly scope: { kind: 'zone' | 'account'; name: string } } {
  const [, kind, name = text] = /^(zone|account):(.+)$/u.exec(text) ?? [];
  return { scope: { kind: kind === 'account' ? kind : 'zone', name } };
}

function gateOf({ errors, blocked, min_requests, delay, probes = [] }: HealthDocument): HealthGate {
  return {
    ...(errors === undefined ? {} : { errors: limitOf(errors) }),
    ...(blocked === undefined ? {} : { blocked: limitOf(blocked) }),
    minRequests: min_requests ?? USUAL_HEALTH.minRequests,
    delay: delay === undefined ? USUAL_HEALTH.delay : secondsOf(delay),
    probes: probes.map(probeOf),
  };
}

function limitOf(limit: LimitOfHealth): HealthLimit {
  const { max, above_before, above_others, window }: Exclude<LimitOfHealth, string> =
    typeof limit === 'string' ? { max: limit } : limit;
  return {
    ...(max === undefined ? {} : { max: percentOf(max) }),
    ...(above_before === undefined ? {} : { aboveBefore: percentOf(above_before) }),
    ...(above_others === undefined ? {} : { aboveOthers: percentOf(above_others) }),
    window: window === undefined ? USUAL_HEALTH.window : secondsOf(window),
  };
}

function probeOf({ url, expect = USUAL_HEALTH.status }: Probe): HealthProbe {
  return { url, expect: typeof expect === 'number' ? [expect] : expect };
}

function percentOf(text: string): number {
  return Number(text.replace('%', ''));
}
