import { describe, expect, it } from 'vitest';
import { githubForge } from '../../src/forge/github/github-forge.ts';
import { summaryText } from '../../src/app/posting/step-summary.ts';
import { settleComments } from '../../src/forge/settle-comments.ts';
import { createFakeClock } from '../fake-clock.ts';
import { commentParts, noticeText, withNotice } from '../../src/forge/message.ts';
import type { Marker } from '../../src/forge/marker.ts';
import { isNewer, markerText, readMarker } from '../../src/forge/marker.ts';
import { planBlocks } from '../report/printed.ts';
import { bytes, characters } from '../../src/report/markdown-pieces.ts';
import { add, content, guarded, plan, remove, scope, update } from '../report/plan-builder.ts';
import { REPOSITORY, startGithub } from './github-stand-in.ts';

const MARKER: Marker = { subject: 'plan', name: 'a--> b', sha: 'a'.repeat(40), run: 3, at: 9, state: 'x' };

it('splits 600 changes into parts within the limit, and names every rule once', () => {
  const changes = Array.from({ length: 600 }, (_, index) =>
    add(`rule-${index}-`, {
      content: content({
        expression: `http.host eq "${'ü'.repeat(index % 300)}" and ip.src eq 192.0.2.${index % 256}`,
      }),
    }),
  );
  const blocks = [
    ...planBlocks(plan(scope([update(changes.slice(0, 450)), update(changes.slice(450))])), null),
  ];
  const parts = commentParts({ marker: MARKER, title: 'Plan', notice: null, blocks, footer: 'end' }, 65_536);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.every((part) => characters(part) <= 65_536)).toBe(true);
  const named = parts.join('\n').match(/`rule-\d+-`/g) ?? [];
  expect(named).toHaveLength(600);
  expect(new Set(named).size).toBe(600);
  expect(parts[1]).toContain(`### Plan (part 2 of ${parts.length})`);
});

describe('a plan of 300 zones that all change differently', () => {
  const zones = Array.from({ length: 300 }, (_, index) => {
    const name = `z${index}.example`;
    const rules = Array.from({ length: 20 }, (_unused, number) =>
      add(`z${index}-rule-${number}`, {
        content: content({ expression: `http.host eq "${name}" and ip.src eq 192.0.2.${number}` }),
      }),
    );
    const weaker = remove('guard', { protection: { kind: 'weakening', reason: `opens ${name}` } });
    return guarded(
      scope([update(index === 217 ? [weaker] : rules, { id: `zone:${name}/http_request_firewall_custom` })], {
        scope: { kind: 'zone', id: index.toString(16).padStart(32, '0'), name, accountId: 'f'.repeat(32) },
      }),
    );
  });
  const blocks = [...planBlocks(plan(...zones), null)];
  const parts = commentParts({ marker: MARKER, title: 'Plan', notice: null, blocks, footer: 'end' }, 65_536);

  it('is split into five parts, the first and last of which count the scopes left out', () => {
    expect(parts).toHaveLength(5);
    expect(parts.every((part) => characters(part) <= 65_536)).toBe(true);
    const told = parts.map((part) => /Left out here: .*?(\d+) more scopes\./.exec(part)?.[1]);
    const headings = parts.join('\n').match(/^#### zone/gm) ?? [];
    expect(told).toEqual([String(300 - headings.length), undefined, undefined, undefined, told[0]]);
    expect(parts[0]).toContain('`--artifact`');
  });

  it('has in its first part all that a decision needs, the most serious zone before all others', () => {
    const [first = ''] = parts;
    expect(first).toContain('**Plan: 5,980 to add, 1 to delete · 300 rulesets to update.**');
    expect(first).toContain('1 finding needs attention.');
    expect(first).toContain('rule `guard` opens z217.example');
    expect(/^#### zone `(\S+)`/m.exec(first)?.[1]).toBe('z217.example');
    expect(first.match(/^\| zone `z\d+\.example` /gm)).toHaveLength(211);
    expect(first).toContain('| 89 more rulesets, not listed here |');
  });
});

it('posts a plan of long multi-byte expressions whole, in parts that GitHub accepts', async () => {
  const github = await startGithub();
  const clock = createFakeClock();
  const forge = githubForge(
    { apiUrl: github.apiUrl, token: 'workflow', tokenName: 'GITHUB_TOKEN', clock, onWait: () => undefined },
    REPOSITORY,
  );
  const changes = Array.from({ length: 400 }, (_, index) =>
    add(`rule-${index}-`, { content: content({ expression: `http.host eq "${'😀'.repeat(300)}"` }) }),
  );
  const blocks = [...planBlocks(plan(scope([update(changes)])), null)];
  const bodies = commentParts(
    { marker: MARKER, title: 'Plan', notice: null, blocks, footer: '' },
    forge.limit,
  );
  await settleComments(
    forge.thread(12),
    () => Promise.resolve({ marker: MARKER, headSha: null, bodies }),
    clock,
  );
  expect(github.comments.map(({ body }) => body)).toEqual(bodies);
  expect(bodies.length).toBeGreaterThan(2);
});

it('cuts the step summary between blocks, and says that its end is left out', () => {
  const changes = Array.from({ length: 4000 }, (_, index) =>
    add(`rule-${index}-`, { content: content({ expression: `http.host eq "${'ü'.repeat(200)}"` }) }),
  );
  const blocks = [...planBlocks(plan(scope([update(changes)])), null)];
  const text = summaryText({ title: 'Rulewright plan', blocks, digest: null }, '', 1024 * 1024);
  expect(bytes(text)).toBeLessThanOrEqual(1024 * 1024);
  expect(bytes(text)).toBeGreaterThan(1_000_000);
  expect(text).toMatch(/\n\n\*\*Left out here: the end of what is shown last\.\*\* .*`--artifact`.*\n\n$/);
  // Every rule that is named is shown in full.
  const named = text.match(/`rule-\d+-`/g) ?? [];
  expect(named.length).toBeGreaterThan(1000);
  expect(text.match(/ü{200}"/g)).toHaveLength(named.length);
  expect(text.match(/<details>/g)).toHaveLength((text.match(/<\/details>/g) ?? []).length);
  expect(summaryText({ title: 'Rulewright plan', blocks, digest: null }, '', 100)).toBe('');
});

it('writes a marker that nothing in it can end, and reads it only at the start of a text', () => {
  const text = markerText(MARKER);
  expect(text.match(/-->/g)).toHaveLength(1);
  expect(readMarker(`${text}\nbody`)).toEqual(MARKER);
  expect(readMarker(`quoted: ${text}`)).toBeNull();
  expect(readMarker('<!-- rulewright:plan {"name":1} -->')).toBeNull();
});

it('puts one notice below the title, however often one is added', () => {
  const once = withNotice(`${markerText(MARKER)}\n### Plan\n\nbody`, noticeText('old'));
  const twice = withNotice(once, noticeText('$& older'));
  expect(twice).toContain('> $& older');
  expect(twice.match(/IMPORTANT/g)).toHaveLength(1);
  expect(twice.split('\n')[1]).toBe('### Plan');
});

it.each([
  ['the later look at one commit', { at: 10 }, 'z', true],
  ['an earlier look at one commit', { at: 8 }, 'z', false],
  ['the commit that the pull request has', { sha: 'h', run: 1 }, 'h', true],
  ['another commit than the pull request has', { sha: 'o', run: 9 }, 'a'.repeat(40), false],
  ['a later run, where neither is for the newest commit', { sha: 'o', run: 9 }, 'z', true],
  ['an earlier run, where neither is for the newest commit', { sha: 'o', run: 1, at: 99 }, 'z', false],
])('decides whether a posted text is newer than ours: %s', (_what, there, head, newer) => {
  expect(isNewer({ ...MARKER, ...there }, MARKER, head)).toBe(newer);
});
