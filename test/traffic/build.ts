import { gzipSync } from 'node:zlib';
import { replay } from '../../src/traffic/index.ts';
import type { Log, ReplayOptions, ReplayZone } from '../../src/traffic/index.ts';
import type { LogFormat, ReplayDocument } from '../../src/model/index.ts';
import type { SimulatedRule, SimulatedRuleset, SimulatedScope } from '../../src/simulate/index.ts';
import type { JsonObject } from '../../src/data/index.ts';

/** A log of these lines; objects are lines of JSON. */
export function logOf(...lines: readonly (string | object)[]): Log {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return bytesLog(Buffer.from(`${text}\n`));
}

/** A log of these bytes, in small pieces. */
export function bytesLog(bytes: Uint8Array, piece = 64): Log {
  return {
    name: 'test.log',
    async *open() {
      for (let at = 0; at < bytes.length; at += piece) {
        yield await Promise.resolve(bytes.subarray(at, at + piece));
      }
    },
  };
}

export function gzipped(log: string): Log {
  return bytesLog(gzipSync(log), 1 << 16);
}

/** A row of Logpush with what every request has. */
export function row(over: JsonObject = {}): JsonObject {
  return {
    ClientIP: '192.0.2.1',
    ClientCountry: 'at',
    ClientRequestHost: 'www.shop.example',
    ClientRequestMethod: 'GET',
    ClientRequestScheme: 'https',
    ClientRequestURI: '/',
    ClientRequestUserAgent: 'Mozilla/5.0',
    EdgeStartTimestamp: '2026-11-27T08:00:00Z',
    EdgeColoCode: 'VIE',
    SecurityAction: '',
    SecurityActions: [],
    SecuritySources: [],
    SecurityRuleID: '',
    ...over,
  };
}

/** A live rule; its id follows from its ref. */
export function liveRule(
  ref: string,
  expression: string,
  over: Partial<SimulatedRule['content']> = {},
): SimulatedRule {
  return {
    ref,
    id: `id-${ref}`,
    content: { action: 'block', description: '', enabled: true, expression, ...over },
  };
}

/** A rule that is new. */
export function newRule(
  ref: string,
  expression: string,
  over: Partial<SimulatedRule['content']> = {},
): SimulatedRule {
  const { content } = liveRule(ref, expression, over);
  return { ref, content };
}

type Rules = Readonly<Record<string, readonly SimulatedRule[]>>;

function scopeOf(rules: Rules): SimulatedScope {
  return {
    scope: { kind: 'zone', name: 'shop.example' },
    rulesets: Object.entries(rules).map(([phase, own]): SimulatedRuleset => ({
      address: { kind: 'entrypoint', phase },
      rules: own,
    })),
  };
}

const ACCOUNT: SimulatedScope = { scope: { kind: 'account', name: 'Shop' }, rulesets: [] };

/** A zone with these rules by phase, live and wanted. */
export function zoneWith(live: Rules, desired: Rules, over: Partial<ReplayZone> = {}): ReplayZone {
  return {
    zone: { name: 'shop.example', plan: 'ENT' },
    live: [ACCOUNT, scopeOf(live)],
    desired: [ACCOUNT, scopeOf(desired)],
    lists: {},
    desiredLists: {},
    since: 0,
    earlier: [],
    ...over,
  };
}

/** Replays logs through a zone. */
export function replayed(
  zone: ReplayZone,
  logs: readonly Log[],
  over: Partial<ReplayOptions> & { readonly format?: LogFormat } = {},
): Promise<ReplayDocument> {
  const { format = null, ...options } = over;
  return replay(
    { logs, format, plan: 'digest' },
    {
      zones: [zone],
      hostless: 'shop.example',
      networks: {},
      showAddresses: false,
      sampled: false,
      ...options,
    },
  );
}
