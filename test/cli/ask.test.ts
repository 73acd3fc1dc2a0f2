import { expect, it } from 'vitest';
import type { CliContext } from '../../src/cli/context.ts';
import type { Question } from '../../src/cli/run/ask.ts';
import { ask } from '../../src/cli/run/ask.ts';
import { into, unattended } from './in-process.ts';

const QUESTION: Question = { question: 'Sure? ', act: 'delete', about: () => 'what goes\n' };

/** Asks, and returns the answer, the text on stderr and the text on stdout. */
async function asked(
  flags: Parameters<typeof ask>[1],
  confirm: CliContext['confirm'],
  question: Question = QUESTION,
) {
  const told: string[] = [];
  const written: string[] = [];
  const context = unattended({
    cwd: '/nowhere',
    confirm,
    stdout: into((text) => written.push(text)),
    stderr: into((text) => told.push(text)),
  });
  const answer = await ask(context, flags, question);
  return { answer, told: told.join(''), json: written.join('') };
}

const answers = (answer: boolean) => () => Promise.resolve(answer);

it.each([
  ['--yes', { yes: true }, 'yes'],
  ['--dry-run', { dryRun: true }, 'dry-run'],
  ['--dry-run beside --yes', { yes: true, dryRun: true }, 'dry-run'],
])(
  'ask takes the answer of %s without a question, with and without a terminal',
  async (_flags, flags, kind) => {
    const confirm = () => Promise.reject(new Error('asked'));
    for (const terminal of [null, confirm]) {
      expect(await asked(flags, terminal)).toEqual({ answer: { kind }, told: '', json: '' });
    }
  },
);

it('ask prints what the question is about on stderr before it takes a yes, unless the format is text', async () => {
  expect(await asked({ format: 'json' }, answers(true))).toEqual({
    answer: { kind: 'yes' },
    told: 'what goes\n',
    json: '',
  });
  expect(await asked({ format: 'text' }, answers(true))).toMatchObject({ told: '' });
});

it('ask passes the word that the question requires on to the confirmation', async () => {
  const confirm = (_question: string, word?: string) => Promise.resolve(word === 'shop.example');
  const { answer } = await asked({}, confirm, { ...QUESTION, word: 'shop.example' });
  expect(answer).toEqual({ kind: 'yes' });
  expect((await asked({}, confirm)).answer).toEqual({ kind: 'ended', code: 3 });
});

it('ask reports on stderr and as JSON that there is no terminal, and which flag to give instead', async () => {
  const { answer, told, json } = await asked({ format: 'json', quiet: true }, null, {
    ...QUESTION,
    instead: '--confirm shop.example',
  });
  const message = 'Not confirmed: there is no terminal to ask on. Nothing was deleted.';
  const hint = 'To delete without a question: --confirm shop.example';
  expect([answer, told]).toEqual([{ kind: 'ended', code: 3 }, `${message} ${hint}\n`]);
  expect(JSON.parse(json)).toEqual({
    kind: 'error',
    formatVersion: 1,
    error: { code: 'confirm/no-terminal', message, hint },
  });
});

it('ask reports on stderr and as JSON that the user declined', async () => {
  const { answer, told, json } = await asked({ format: 'json' }, answers(false));
  const message = 'Not confirmed. Nothing was deleted.';
  expect([answer, told]).toEqual([{ kind: 'ended', code: 3 }, `what goes\n${message}\n`]);
  expect(JSON.parse(json)).toEqual({
    kind: 'error',
    formatVersion: 1,
    error: { code: 'confirm/declined', message },
  });
});
