import { describe, expect, it } from 'vitest';
import { githubForge } from '../../src/forge/github/github-forge.ts';
import type { Marker } from '../../src/forge/marker.ts';
import { markerText, readMarker } from '../../src/forge/marker.ts';
import type { WantedIssue, SettledIssue } from '../../src/forge/settle-issue.ts';
import { markNotified, settleIssue } from '../../src/forge/settle-issue.ts';
import { createFakeClock } from '../fake-clock.ts';
import type { Fault, GithubStandIn, KeptIssue } from './github-stand-in.ts';
import { REPOSITORY, startGithub } from './github-stand-in.ts';

const MARKER: Marker = { subject: 'drift', name: '', sha: 'h', run: 1, at: 1, state: 'd' };
const US = 'github-actions[bot]';

/** An issue of ours from an earlier run, open unless told otherwise. */
function kept(number: number, marker: Partial<Marker> = {}, over: Partial<KeptIssue> = {}): KeptIssue {
  const body = `${markerText({ ...MARKER, ...marker })}\nbody`;
  return { number, title: 'Drift', body, state: 'open', labels: ['drift'], login: US, ...over };
}

/** The issue that a later run wants: the same, unless told otherwise. */
function wanted(finding: WantedIssue['finding'], over: Partial<Marker> = {}, rest: readonly string[] = []) {
  const marker: Marker = { ...MARKER, at: 2, state: finding === 'clean' ? '' : 'd', ...over };
  const bodies = [`${markerText(marker)}\nbody`, ...rest];
  const news = `${markerText({ ...marker, subject: 'news' })}\nnews`;
  return { marker, finding, title: 'Drift', bodies, news } satisfies WantedIssue;
}

async function start(issues: readonly KeptIssue[], faults: readonly Fault[] = []) {
  const github = await startGithub();
  const clock = createFakeClock();
  const options = { token: 'workflow', tokenName: 'GITHUB_TOKEN', clock, onWait: () => undefined };
  const forge = githubForge({ apiUrl: github.apiUrl, ...options }, REPOSITORY);
  github.issues.push(...issues.map((issue) => ({ ...issue })));
  github.faults.push(...faults);
  const ours = forge.issues('drift');
  return { github, ours, settle: (what: WantedIssue) => settleIssue(ours, what, clock) };
}

/** Issues as `#3 open d: text`, with the state of their marker, and `(told x)` if the webhook was told of one. */
const shown = ({ issues }: GithubStandIn): readonly string[] =>
  issues.map(({ number, state, title, body }) => {
    const marker = readMarker(body);
    const told = marker?.told === undefined ? '' : ` (told ${marker.told})`;
    const text = marker === null ? body : body.split('\n').slice(1).join('\n');
    return `#${number} ${state} ${marker?.state ?? '-'}${told}: ${title}, ${text}`;
  });

/** Comments as `#3 subject text`. */
const comments = (github: GithubStandIn): readonly string[] =>
  github.comments.map(
    ({ issue, body }) => `#${issue} ${readMarker(body)?.subject ?? '-'} ${body.split('\n').at(-1) ?? ''}`,
  );

it.each(['drifted', 'clean'] as const)(
  'leaves an issue with our marker and label by somebody else alone when a project is %s',
  async (finding) => {
    const forged = kept(1, {}, { title: 'forged', login: 'mallory' });
    const { github, settle } = await start([forged]);
    const { change } = await settle(wanted(finding));
    const [there, ...ours] = github.issues;
    expect(there).toEqual(forged);
    expect([change, ours.map(({ title }) => title), github.comments]).toEqual(
      finding === 'drifted' ? ['opened', ['Drift'], []] : ['none', [], []],
    );
  },
);

interface Row {
  readonly there: readonly KeptIssue[];
  readonly wanted: WantedIssue;
  readonly change: SettledIssue['change'];
  /** The change that the webhook has yet to be told; null if none. */
  readonly unreported: string | null;
  readonly issues: readonly string[];
  readonly comments?: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  'drift that nobody was told of': {
    there: [kept(3)],
    wanted: wanted('drifted'),
    change: 'none',
    unreported: 'opened',
    issues: ['#3 open d: Drift, body'],
  },
  'drift that was told': {
    there: [kept(3, { told: 'd' })],
    wanted: wanted('drifted'),
    change: 'none',
    unreported: null,
    issues: ['#3 open d (told d): Drift, body'],
  },
  'another drift than was told': {
    there: [kept(3, { told: 'd' })],
    wanted: wanted('drifted', { state: 'e' }),
    change: 'changed',
    unreported: 'changed',
    issues: ['#3 open e (told d): Drift, body'],
  },
  'the same drift, in an issue that a person has given another title': {
    there: [kept(3, { told: 'd' }, { title: 'Mine' })],
    wanted: wanted('drifted'),
    change: 'none',
    unreported: null,
    issues: ['#3 open d (told d): Drift, body'],
  },
  'drift of another project': {
    there: [kept(3, { name: 'other' })],
    wanted: wanted('clean'),
    change: 'none',
    unreported: null,
    issues: ['#3 open d: Drift, body'],
  },
  'drift that two runs opened an issue for': {
    there: [kept(5), kept(3, { told: 'd' })],
    wanted: wanted('drifted'),
    change: 'none',
    unreported: null,
    issues: ['#5 closed -: Drift, Duplicate of #3.', '#3 open d (told d): Drift, body'],
  },
  'what a later run has told already': {
    there: [kept(3, { at: 9, state: 'e' })],
    wanted: wanted('drifted'),
    change: 'superseded',
    unreported: null,
    issues: ['#3 open e: Drift, body'],
  },
  'the same drift, in an issue that a person has closed': {
    there: [kept(3, {}, { state: 'closed' })],
    wanted: wanted('drifted'),
    change: 'none',
    unreported: null,
    issues: ['#3 closed d: Drift, body'],
  },
  'another drift, where the issue was closed': {
    there: [kept(3, {}, { state: 'closed' })],
    wanted: wanted('drifted', { state: 'e' }),
    change: 'reopened',
    unreported: 'reopened',
    issues: ['#3 open e: Drift, body'],
    comments: ['#3 news news'],
  },
  'drift again, after its end was told': {
    there: [kept(3, { state: '', told: '' }, { state: 'closed' })],
    wanted: wanted('drifted'),
    change: 'reopened',
    unreported: 'reopened',
    issues: ['#3 open d (told ): Drift, body'],
    comments: ['#3 news news'],
  },
  'the end of drift': {
    there: [kept(3, { told: 'd' })],
    wanted: wanted('clean'),
    change: 'closed',
    unreported: 'closed',
    issues: ['#3 closed  (told d): Drift, body'],
    comments: ['#3 news news'],
  },
  'the end of drift whose issue a person has closed': {
    there: [kept(3, { told: 'd' }, { state: 'closed' })],
    wanted: wanted('clean'),
    change: 'none',
    unreported: 'closed',
    issues: ['#3 closed  (told d): Drift, body'],
  },
  'no drift, in an issue that a person has opened again': {
    there: [kept(3, { state: '', told: '' })],
    wanted: wanted('clean'),
    change: 'closed',
    unreported: null,
    issues: ['#3 closed  (told ): Drift, body'],
    comments: ['#3 news news'],
  },
  'drift again, where two issues were closed': {
    there: [kept(2, {}, { state: 'closed' }), kept(3, {}, { state: 'closed' })],
    wanted: wanted('drifted', { state: 'e' }),
    change: 'reopened',
    unreported: 'reopened',
    issues: ['#2 closed d: Drift, body', '#3 open e: Drift, body'],
    comments: ['#3 news news'],
  },
  'no drift still': {
    there: [kept(3, { state: '', told: '' }, { state: 'closed' })],
    wanted: wanted('clean'),
    change: 'none',
    unreported: null,
    issues: ['#3 closed  (told ): Drift, body'],
  },
  'nothing known, where there is drift': {
    there: [kept(3)],
    wanted: wanted('unknown', { state: '' }),
    change: 'none',
    unreported: null,
    issues: ['#3 open d: Drift, body'],
  },
  'nothing known, where the end of drift was not told': {
    there: [kept(3, { state: '', told: 'd' }, { state: 'closed' })],
    wanted: wanted('unknown', { state: '' }),
    change: 'none',
    unreported: null,
    issues: ['#3 closed  (told d): Drift, body'],
  },
  'nothing known, where there was none': {
    there: [],
    wanted: wanted('unknown', { state: '' }),
    change: 'none',
    unreported: null,
    issues: [],
  },
  'more than fits into the issue': {
    there: [kept(3, { told: 'd' })],
    wanted: wanted('drifted', {}, [`${markerText({ ...MARKER, at: 2 })}\nmore`]),
    change: 'none',
    unreported: null,
    issues: ['#3 open d (told d): Drift, body'],
    comments: ['#3 drift more'],
  },
};

describe('settleIssue', () => {
  it.each(Object.entries(rows))('brings the issue and its comments up to date: %s', async (_what, row) => {
    const { github, settle } = await start(row.there);
    const { change, unreported, webUrl } = await settle(row.wanted);
    expect([change, unreported?.change ?? null]).toEqual([row.change, row.unreported]);
    expect(shown(github)).toEqual(row.issues);
    expect(comments(github)).toEqual(row.comments ?? []);
    const about = row.there.length === 0 || row.there[0]?.body.includes('other') === true ? null : 3;
    expect(webUrl).toBe(about === null ? null : `https://github.example/${REPOSITORY}/issues/${about}`);
    // A second run of the same kind has nothing to do.
    github.seen.length = 0;
    await settle(row.wanted);
    expect(github.seen.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  it('deletes comments with the rest of the result only when it closes the issue', async () => {
    const { github, settle } = await start([kept(3)]);
    await settle(wanted('drifted', {}, [`${markerText({ ...MARKER, at: 2 })}\nmore`]));
    await settle(wanted('unknown', { at: 3, state: '' }));
    expect(comments(github)).toEqual(['#3 drift more']);
    await settle(wanted('clean', { at: 4 }));
    expect(comments(github)).toEqual(['#3 news news']);
  });

  it.each(['before', 'after'] as const)(
    'posts its news once if the forge fails %s it has closed the issue',
    async (when) => {
      const fault = { method: 'PATCH', path: /issues\/3$/, when, status: 502 };
      const { github, settle } = await start([kept(3, { told: 'd' })], [fault]);
      expect(await settle(wanted('clean'))).toMatchObject({
        change: 'closed',
        unreported: { change: 'closed' },
      });
      expect(shown(github)).toEqual(['#3 closed  (told d): Drift, body']);
      expect(comments(github)).toEqual(['#3 news news']);
    },
  );

  it('gives up after repeated failures, and says to run it again', async () => {
    const fault: Fault = { method: 'PATCH', path: /issues\/3$/, when: 'before', status: 502 };
    const { settle } = await start(
      [kept(3)],
      Array.from({ length: 30 }, () => fault),
    );
    await expect(settle(wanted('clean'))).rejects.toMatchObject({
      code: 'forge/unsettled',
      fault: 'remote',
      hint: expect.stringContaining('run it again'),
    });
  });
});

describe('markNotified', () => {
  it('records in the issue what the webhook was told, so that it is not told again', async () => {
    const { github, ours, settle } = await start([kept(4, { name: 'other' }), kept(3)]);
    const { unreported } = await settle(wanted('drifted'));
    expect(unreported).toMatchObject({ change: 'opened', issue: { number: 3 } });
    if (unreported !== null) {
      await markNotified(ours, unreported, wanted('drifted'));
    }
    expect(shown(github)).toEqual(['#4 open d: Drift, body', '#3 open d (told d): Drift, body']);
    expect(await settle(wanted('drifted', { at: 3 }))).toMatchObject({ change: 'none', unreported: null });
  });

  it('changes no issue that another run has updated meanwhile or that is gone', async () => {
    const { github, ours, settle } = await start([kept(3)]);
    const { unreported } = await settle(wanted('drifted'));
    await settle(wanted('drifted', { at: 3, state: 'e' }));
    expect(unreported).not.toBeNull();
    if (unreported !== null) {
      await markNotified(ours, unreported, wanted('drifted'));
    }
    expect(shown(github)).toEqual(['#3 open e: Drift, body']);
    github.issues.length = 0;
    if (unreported !== null) {
      await markNotified(ours, unreported, wanted('drifted'));
    }
    expect(shown(github)).toEqual([]);
  });
});

it('opens only one issue if the forge does not list it, and says so', async () => {
  const { github, ours } = await start([]);
  const blind = { ...ours, list: () => Promise.resolve([]), listOpen: () => Promise.resolve([]) };
  await expect(settleIssue(blind, wanted('drifted'), createFakeClock())).rejects.toMatchObject({
    code: 'forge/unsettled',
    message: expect.stringContaining('does not list it'),
  });
  expect(github.issues).toHaveLength(1);
});
