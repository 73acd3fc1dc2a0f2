import { expect, it } from 'vitest';
import type { ImportedScope } from '../../../src/model/result-documents.ts';
import { importText } from '../printed.ts';

type Done = Exclude<ImportedScope, { readonly kind: 'failed' }>;

function imported(kind: Done['kind'], scope: string): Done {
  return {
    kind,
    scope,
    files: [],
    rules: 1,
    rulesets: 1,
    leftOut: [],
    lists: 0,
    settings: 0,
    unmanaged: [],
    unmanagedObjects: [],
    kept: [],
    removed: [],
    renamed: [],
    dropped: [],
    inClear: [],
    unread: [],
    changes: [],
    unknown: [],
  };
}

it('counts unchanged scopes instead of listing them if they are many', () => {
  const scopes = [
    ...['a', 'b', 'c'].map((name) => imported('unchanged', `zone:${name}`)),
    imported('changed', 'zone:d'),
    imported('unchanged', 'zone:e'),
  ];
  const text = (told: readonly ImportedScope[]): string =>
    importText({ scopes: told, written: [], pending: null, requests: 9 }, { width: 80, colour: false });
  expect(text(scopes)).toBe(`changed      zone:d  1 rule in 1 ruleset
unchanged    4 scopes; --verbose shows each

Imported 5 scopes: 0 files written, 9 requests.
`);
  expect(text(scopes.slice(0, 3))).toContain('unchanged    zone:b');
});

it('lists the first of many new scopes and those with details, and counts the others', () => {
  const scopes: readonly ImportedScope[] = [
    ...Array.from({ length: 300 }, (_, index) => imported('new', `zone:${index}`)),
    { ...imported('new', 'zone:odd'), kept: ['a description'] },
  ];
  const text = (detail: 'each' | 'summed-up'): readonly string[] =>
    importText(
      { scopes, written: [], pending: null, requests: 9 },
      { width: 80, colour: false, detail },
    ).split('\n');
  expect(text('summed-up').slice(19, 24)).toEqual([
    'new          zone:19  1 rule in 1 ruleset',
    'new          zone:odd  1 rule in 1 ruleset',
    '    stays a description',
    'new          280 more scopes; --verbose shows each',
    '',
  ]);
  expect(text('each')).toContain('new          zone:299  1 rule in 1 ruleset');
});

it('counts what is not in the files in its last line', () => {
  const place = { kind: 'entrypoint', phase: 'http_ratelimit', name: 'default' } as const;
  const leftOut = [{ ...place, code: 'not-owned', reason: 'its rules are of others' }] as const;
  const failed = { kind: 'failed', scope: 'zone:b', message: 'it cannot be read' } as const;
  const scopes = [{ ...imported('changed', 'zone:a'), leftOut }, failed];
  const text = importText({ scopes, written: [], pending: null, requests: 2 }, { width: 100, colour: false });
  expect(text).toContain(
    'Imported 1 of 2 scopes: 0 files written, 2 requests; 1 ruleset left out, see above.',
  );
});

it('ends with what a reviewer must not overlook: rules that end every request, then weaker ones', () => {
  const at = {
    scope: 'zone:a',
    step: 'zone:a/http_request_firewall_custom',
    version: '2',
    lastUpdated: null,
  };
  const change = {
    ...at,
    difference: 'only-live',
    severity: 'weakening',
    reason: 'applies skip',
  } as const;
  const changes = [
    { ...change, rule: 'let-pass' },
    { ...change, rule: 'stop', severity: 'strengthening', everyRequest: 'applies block to every request' },
    { ...change, rule: 'quiet', severity: 'neutral' },
  ] as const;
  const summary = {
    scopes: [{ ...imported('changed', 'zone:a'), changes }],
    written: [],
    pending: null,
    requests: 1,
  };
  expect(importText(summary, { width: 100, colour: false })).toBe(`changed      zone:a  1 rule in 1 ruleset

The files now stop or redirect every request (or every one tried), because what was imported does:
  ! stop in zone:a/http_request_firewall_custom: applies block to every request  version 2

The files now protect less than before, because what was imported does:
  ! let-pass in zone:a/http_request_firewall_custom: applies skip  version 2

Imported 1 scope: 0 files written, 1 request.
`);
});
