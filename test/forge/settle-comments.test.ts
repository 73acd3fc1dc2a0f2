import { describe, expect, it } from 'vitest';
import { githubForge } from '../../src/forge/github/github-forge.ts';
import type { Marker } from '../../src/forge/marker.ts';
import { markerText } from '../../src/forge/marker.ts';
import type { Forge, CommentThread } from '../../src/forge/port.ts';
import type { Settled } from '../../src/forge/settle-comments.ts';
import { settleComments } from '../../src/forge/settle-comments.ts';
import { createFakeClock } from '../fake-clock.ts';
import type { GithubStandIn } from './github-stand-in.ts';
import { REPOSITORY, startGithub } from './github-stand-in.ts';

const HEAD = 'b'.repeat(40);

function open(github: GithubStandIn, clock = createFakeClock(), token = 'workflow'): Forge {
  return githubForge(
    { apiUrl: github.apiUrl, token, tokenName: 'GITHUB_TOKEN', clock, onWait: () => undefined },
    REPOSITORY,
  );
}

function marker(more: Partial<Marker> = {}): Marker {
  return { subject: 'plan', name: '', sha: HEAD, run: 7, at: 70, state: '', ...more };
}

/** Posts texts as one run would. */
function post(
  github: GithubStandIn,
  texts: readonly string[],
  more: Partial<Marker> & { clock?: ReturnType<typeof createFakeClock>; token?: string } = {},
): Promise<Settled> {
  const { clock = createFakeClock(), token, ...facts } = more;
  const mark = marker(facts);
  const bodies = texts.map((text) => `${markerText(mark)}\n${text}`);
  return settleComments(
    open(github, clock, token).thread(12),
    () => Promise.resolve({ marker: mark, headSha: HEAD, bodies }),
    clock,
  );
}

const shown = (github: GithubStandIn): readonly string[] =>
  github.comments.map(({ body }) => body.split('\n').slice(1).join('\n'));

describe('comments of a run', () => {
  it('are created once and then updated in place, and superfluous ones are deleted', async () => {
    const github = await startGithub();
    await post(github, ['one', 'two', 'three'], { at: 1 });
    const ids = github.comments.map(({ id }) => id);
    expect(await post(github, ['new'], { at: 2 })).toEqual({ kind: 'settled', writes: 3, parts: 1 });
    expect(shown(github)).toEqual(['new']);
    expect(github.comments[0]?.id).toBe(ids[0]);
  });

  it('are found behind a page of others; those of other projects, people and apps stay', async () => {
    const github = await startGithub();
    for (let id = 1; id <= 130; id += 1) {
      github.comments.push({ id, issue: 12, body: 'hello', login: 'alice' });
    }
    const forged = `${markerText(marker())}\nforged`;
    github.comments.push({ id: 131, issue: 12, body: forged, login: 'mallory' });
    github.comments.push({ id: 132, issue: 12, body: forged, login: 'other-app[bot]' });
    await post(github, ['other'], { name: 'services/b' });
    await post(github, ['first']);
    await post(github, ['second'], { at: 99 });
    expect(shown(github).slice(-2)).toEqual(['other', 'second']);
    expect(github.comments.filter(({ body }) => body === forged).map(({ id }) => id)).toEqual([131, 132]);
  });

  it('are not posted if the account of the token is unknown', async () => {
    const github = await startGithub();
    github.faults.push({ method: 'POST', path: /graphql$/, when: 'before', status: 200 });
    await expect(post(github, ['one'])).rejects.toMatchObject({ code: 'forge/bad-answer' });
    expect(github.comments).toEqual([]);
  });

  it('are created again, in order, if one was deleted by hand', async () => {
    const github = await startGithub();
    await post(github, ['one', 'two'], { at: 1 });
    github.comments.shift();
    await post(github, ['one', 'two'], { at: 2 });
    expect(shown(github)).toEqual(['one', 'two']);
  });

  it('are created again if one is deleted between reading and writing', async () => {
    const github = await startGithub();
    await post(github, ['one'], { at: 1 });
    github.interfere = () => {
      github.interfere = (request) => {
        github.interfere = () => {
          expect(request).toContain('GET');
          github.comments.length = 0;
        };
      };
    };
    await post(github, ['two'], { at: 2 });
    expect(shown(github)).toEqual(['two']);
  });

  it('never replace the result of a newer commit', async () => {
    const github = await startGithub();
    await post(github, ['new'], { run: 9 });
    const late = await post(github, ['old'], { sha: 'a'.repeat(40), run: 5, at: 500 });
    expect(late).toMatchObject({ kind: 'superseded', by: { sha: HEAD } });
    expect(shown(github)).toEqual(['new']);
  });

  it('are those of the later run alone when two runs post at once', async () => {
    const github = await startGithub();
    const settled = await Promise.all([
      post(github, ['of the first', 'more'], { run: 1, at: 1 }),
      post(github, ['of the second'], { run: 2, at: 2 }),
    ]);
    expect(settled.map(({ kind }) => kind)).toContain('settled');
    expect(shown(github)).toEqual(['of the second']);
  });
});

describe('a forge that does not list our comments', () => {
  it('gets one comment, however many parts there are, and the error says that it is not listed', async () => {
    const github = await startGithub();
    const clock = createFakeClock();
    const posted: string[] = [];
    const thread: CommentThread = {
      ...open(github, clock).thread(12),
      list: () => Promise.resolve([]),
      create: (body) => {
        posted.push(body);
        return Promise.resolve({ kind: 'done' });
      },
    };
    const wanted = { marker: marker(), headSha: HEAD, bodies: ['one', 'two', 'three'] };
    await expect(settleComments(thread, () => Promise.resolve(wanted), clock)).rejects.toMatchObject({
      code: 'forge/unsettled',
      message: expect.stringContaining('does not list it'),
      hint: expect.stringContaining('token'),
    });
    expect(posted).toEqual(['one']);
  });

  it('is given time if its list only lags behind', async () => {
    const github = await startGithub();
    const clock = createFakeClock();
    const thread = open(github, clock).thread(12);
    let lagging = 2;
    const slow: CommentThread = {
      ...thread,
      list: async () => {
        const all = await thread.list();
        lagging -= all.length > 0 && lagging > 0 ? 1 : 0;
        return lagging > 0 ? [] : all;
      },
    };
    const mark = marker();
    const bodies = ['one', 'two'].map((text) => `${markerText(mark)}\n${text}`);
    await settleComments(slow, () => Promise.resolve({ marker: mark, headSha: HEAD, bodies }), clock);
    expect(shown(github)).toEqual(['one', 'two']);
  });
});

describe('a write of unknown outcome', () => {
  it.each(['before', 'after'] as const)(
    'is looked up before it is sent again: 502 %s the comment was made',
    async (when) => {
      const github = await startGithub();
      github.faults.push({ method: 'POST', path: /comments$/, when, status: 502 });
      await post(github, ['one']);
      expect(shown(github)).toEqual(['one']);
      const requests = github.seen
        .filter((request) => /comments/.test(request))
        .map((request) => request.split(' ')[0]);
      // The last look is the one that settles every write.
      const sent = when === 'before' ? ['GET', 'POST', 'GET', 'POST', 'GET'] : ['GET', 'POST', 'GET'];
      expect(requests).toEqual(sent);
    },
  );
});

describe('limits of the forge', () => {
  it('waits for the primary limit to be reset', async () => {
    const github = await startGithub();
    const clock = createFakeClock();
    const reset = Math.ceil(clock.now() / 1000) + 90;
    github.faults.push({
      method: 'POST',
      path: /comments$/,
      when: 'before',
      status: 403,
      message: 'API rate limit exceeded for installation ID 1.',
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) },
    });
    const before = clock.now();
    await post(github, ['one'], { clock });
    expect(shown(github)).toEqual(['one']);
    expect(clock.now() - before).toBeGreaterThanOrEqual(90_000);
  });

  it('waits as long as the secondary limit asks for', async () => {
    const github = await startGithub();
    const clock = createFakeClock();
    const before = clock.now();
    const message = 'You have exceeded a secondary rate limit.';
    github.faults.push(
      { method: 'GET', path: /comments$/, when: 'before', status: 429, headers: { 'retry-after': '7' } },
      { method: 'POST', path: /comments$/, when: 'before', status: 403, message },
    );
    await post(github, ['one'], { clock });
    expect(clock.now() - before).toBe(67_000);
  });

  it('gives up if it would have to wait for an hour', async () => {
    const github = await startGithub();
    github.faults.push({
      method: 'GET',
      path: /comments$/,
      when: 'before',
      status: 429,
      headers: { 'retry-after': '3600' },
    });
    await expect(post(github, ['one'])).rejects.toMatchObject({ code: 'forge/rate-limited' });
  });

  it('says that a body is too long', async () => {
    const github = await startGithub();
    await expect(post(github, ['ü'.repeat(65_536)])).rejects.toMatchObject({
      code: 'forge/http-422',
      message: expect.stringContaining('Body is too long (maximum is 65536 characters)'),
    });
    expect(github.comments).toEqual([]);
  });

  it('names the permission that the token lacks, and reports a wrong token', async () => {
    const github = await startGithub();
    github.faults.push({
      method: 'POST',
      path: /comments$/,
      when: 'before',
      status: 403,
      message: 'Resource not accessible by integration',
    });
    await expect(post(github, ['one'])).rejects.toMatchObject({
      code: 'forge/http-403',
      hint: expect.stringContaining('pull-requests: write'),
    });
    await expect(post(github, ['one'], { token: 'wrong' })).rejects.toMatchObject({ code: 'forge/http-401' });
  });
});
