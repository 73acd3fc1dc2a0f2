import { expect, it } from 'vitest';
import type { WafStanding } from '../../../src/legacy/waf/waf-migration.ts';
import { wholeText } from '../../../src/report/index.ts';
import { standingsDocument } from '../../../src/legacy/waf/waf-report.ts';

it('aligns columns if the name of a zone has wide characters', () => {
  const standing = (name: string): WafStanding => ({
    kind: 'none',
    scope: { kind: 'zone', id: 'e'.repeat(32), name, accountId: 'f'.repeat(32) },
  });
  const document = standingsDocument([standing('例え.example'), standing('shop-1.example')], () => null);
  const text = wholeText(document, { width: 100, colour: false });
  expect(text.split('\n').slice(0, 2)).toEqual([
    'zone:例え.example        no migration on this plan level',
    'zone:shop-1.example      no migration on this plan level',
  ]);
});
