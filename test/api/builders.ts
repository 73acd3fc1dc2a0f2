import type { ScopeAddress } from '../../src/api/paths.ts';

/** A well-formed id, by a number. */
export function id(number: number): string {
  return number.toString(16).padStart(32, '0');
}

export const ZONE: ScopeAddress = { kind: 'zone', id: id(0xa) };
export const ACCOUNT: ScopeAddress = { kind: 'account', id: id(0xb) };

/** A ruleset as the service sends it. */
export function wireRuleset(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: id(1),
    name: 'default',
    description: '',
    kind: 'zone',
    phase: 'http_request_origin',
    version: '3',
    last_updated: '2026-01-01T00:00:00.123456Z',
    ...overrides,
  };
}

/** A rule as the service sends it. */
export function wireRule(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: id(2),
    version: '1',
    action: 'block',
    expression: 'true',
    enabled: true,
    last_updated: '2026-01-01T00:00:00.123456Z',
    ref: 'admin',
    ...overrides,
  };
}
