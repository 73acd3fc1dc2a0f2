import { expect, test } from 'vitest';

import { namedLists } from '../../src/expression/named-lists.ts';

function brief(text: string, mode: 'filter' | 'value' = 'filter'): readonly string[] {
  return namedLists(text, mode).map(
    ({ name, holds, span }) => `${holds} ${name} ${text.slice(span.start, span.end)}`,
  );
}

test.each([
  ['ip.src in $office', ['ip office $office']],
  ['http.host in $ours or ip.src.asnum in $nets', ['hostname ours $ours', 'asn nets $nets']],
  ['http.request.full_uri in $moved', ['redirect moved $moved']],
  ['not (ip.src in $a and any(http.request.headers["x-host"][*] in $b))', ['ip a $a', 'hostname b $b']],
  ['lower(http.host) in $hosts', ['hostname hosts $hosts']],
  ['ip.src in $cf.malware', []],
  ['http.host eq "$office"', []],
  ['ip.src in $', []],
])('finds the lists that %s names', (text, lists) => {
  expect(brief(text)).toEqual(lists);
});
