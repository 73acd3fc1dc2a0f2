import { expect, test } from 'vitest';
import { shortenMails } from '../../src/app/planning/shorten-mails.ts';

test.each([
  ['ann.smith@shop.example', 'an…@shop.example'],
  ['al@shop.example', 'a…@shop.example'],
  ['CI of ann.smith@shop.example (bob@x.example)', 'CI of an…@shop.example (bo…@x.example)'],
  ['CI', 'CI'],
  ['@', '@'],
])('shortens mail addresses wherever they stand: %s', (name, short) => {
  const by = { at: '', actor: { kind: 'token' as const, name }, via: 'api-token' as const, audit_id: 'one' };
  const shortened = shortenMails(new Map([['key', { changed_by: [{ ...by, claims: name }] }]]));
  expect(shortened.get('key')?.changed_by).toEqual([
    { ...by, actor: { kind: 'token', name: short }, claims: short },
  ]);
});
