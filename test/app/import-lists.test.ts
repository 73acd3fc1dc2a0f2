import { expect, test } from 'vitest';
import { declareLists } from '../../src/app/import/declare-lists.ts';
import type { ListItem, LiveList } from '../../src/model/list.ts';
import { loadValid } from '../config/project-folder.ts';

function live(name: string, kind: LiveList['kind'], items: readonly ListItem[]): LiveList {
  return {
    id: 'a'.repeat(32),
    name,
    kind,
    description: '',
    modifiedOn: '',
    itemCount: items.length,
    referenceCount: 0,
    items: items.map((item, index) => ({ id: String(index), item })),
  };
}

const MANY: readonly ListItem[] = Array.from({ length: 51 }, (_, index) => ({
  ip: `192.0.2.${index}`,
  ...(index === 3 ? { comment: '# "Office", north' } : {}),
}));

test('lists are written so that they are read back, those with more than 50 items to a file of their own', async () => {
  const lists = [
    live('many', 'ip', MANY),
    live('hosts', 'hostname', [
      { hostname: '*.a.example', exclude_exact_hostname: true },
      { hostname: 'b.example' },
    ]),
    live('old', 'redirect', [
      {
        source_url: 'a.example/',
        target_url: 'https://b.example/',
        status_code: 308,
        subpath_matching: true,
      },
    ]),
    live('strange', 'redirect', [
      { source_url: 'a.example/?q', target_url: 'https://b.example/', status_code: 301 },
    ]),
  ];
  const { values, files, leftOut } = declareLists(lists);
  expect([...files.keys()]).toEqual(['lists/many.csv']);
  expect(leftOut).toEqual([expect.stringContaining('list strange')]);
  const { scopes } = await loadValid({
    'accounts/a.yaml': JSON.stringify({ account: 'Example Shop', lists: values }),
    ...Object.fromEntries(files),
  });
  expect(scopes[0]?.lists?.map(({ items }) => items)).toEqual(
    lists.slice(0, 3).map(({ items }) => items.map(({ item }) => item)),
  );
});
