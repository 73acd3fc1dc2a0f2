import { expect, it } from 'vitest';
import { githubForge } from '../../src/forge/github/forge.ts';
import type { Marker } from '../../src/forge/marker.ts';
import { markerText } from '../../src/forge/marker.ts';
import { settleIssue } from '../../src/forge/settle-issue.ts';
import { createFakeClock } from '../fake-clock.ts';
import type { KeptIssue } from './github-stand-in.ts';
import { REPOSITORY, startGithub } from './github-stand-in.ts';

const MARKER: Marker = { subject: 'drift', name: '', sha: 'h', run: 1, at: 1, state: 'd' };

it.each(['drifted', 'clean'] as const)(
  'leaves the issue of a stranger with our marker and label alone when a project is %s',
  async (finding) => {
    const github = await startGithub();
    const clock = createFakeClock();
    const forge = githubForge(
      { apiUrl: github.apiUrl, token: 'workflow', tokenName: 'GITHUB_TOKEN', clock, onWait: () => undefined },
      REPOSITORY,
    );
    const forged: KeptIssue = {
      number: 1,
      title: 'forged',
      body: `${markerText(MARKER)}\nforged`,
      state: 'open',
      labels: ['drift'],
      login: 'mallory',
    };
    github.issues.push({ ...forged });
    const marker = { ...MARKER, at: 2, state: finding === 'clean' ? '' : 'd' };
    const bodies = [`${markerText(marker)}\nbody`];
    const wanted = { marker, finding, title: 'Drift', bodies, news: 'news' };
    const { change } = await settleIssue(forge.issues('drift'), wanted, clock);
    const [there, ...ours] = github.issues;
    expect(there).toEqual(forged);
    expect([change, ours.map(({ title }) => title), github.comments]).toEqual(
      finding === 'drifted' ? ['opened', ['Drift'], []] : ['none', [], []],
    );
  },
);
