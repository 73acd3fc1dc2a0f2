import { expect, it } from 'vitest';
import type { VersionEntry } from '../../../src/model/result-documents.ts';
import { versionsText } from '../printed.ts';

const HEAD = {
  id: '0'.repeat(32),
  name: 'custom',
  description: '',
  kind: 'zone',
  phase: 'http_request_firewall_custom',
  lastUpdated: '2026-06-01T00:00:00Z',
} as const;

const entry = (version: number): VersionEntry => ({
  ...HEAD,
  version: String(version),
  rules: 1,
  changes: null,
});

function textOf(listed: number, older: number): string {
  const versions = Array.from({ length: listed }, (_, index) => entry(older + index + 1));
  const scope = {
    kind: 'zone',
    id: '1'.repeat(32),
    name: 'shop.example',
    accountId: '2'.repeat(32),
  } as const;
  const ruleset = { ...HEAD, version: String(listed + older) };
  return versionsText({ scope, ruleset, versions, older }, { width: 200, colour: false });
}

it.each([
  [10, 0, undefined],
  [10, 90, '90 older versions; --limit 100 lists all'],
  [10, 990, '990 older versions; --limit 1000 lists all'],
  [10, 1190, '1,190 older versions; --limit 1000 lists the latest 1000'],
  [1000, 200, '200 older versions'],
])('offers a fitting --limit for %d listed and %d older versions', (listed, older, said) => {
  const last = textOf(listed, older).trimEnd().split('\n').at(-1)?.trim();
  expect(last?.includes('older version') === true ? last : undefined).toBe(said);
});

it('calls a version the oldest that is kept only if there is no older one', () => {
  expect(textOf(1, 0)).toContain('the oldest that is kept');
  expect(textOf(1, 1199)).not.toContain('the oldest that is kept');
});
