import { describe, expect, test } from 'vitest';
import type { Files } from './project-folder.ts';
import { brief, loadFiles, loadValid } from './project-folder.ts';

/** An account file with the given lists. */
function account(lists: string, more: Files = {}): Files {
  return { 'accounts/a.yaml': `account: Example Shop\nlists:\n${lists}`, ...more };
}

async function listsOf(files: Files) {
  const { scopes } = await loadValid(files);
  return scopes[0]?.lists;
}

async function findings(files: Files): Promise<readonly string[]> {
  const { diagnostics } = await loadFiles(files);
  return diagnostics.map((one) => `${brief(one)}; ${one.hint ?? ''}`);
}

describe('lists of an account', () => {
  test('have items in one canonical form, however they are spelt', async () => {
    const lists = await listsOf(
      account(`  - name: office
    kind: ip
    description: Office
    items: [203.0.113.0/24, 198.51.100.7/32, {ip: "2001:DB8:0:0::/32", comment: VPN}]
  - {name: providers, kind: asn, items: [64496, {asn: 64497, comment: two}]}
  - {name: hosts, kind: hostname, items: [Shop.Example, {hostname: "*.shop.example", exclude_exact_hostname: true}]}
  - name: old
    kind: redirect
    items:
      - {source_url: Shop.Example, target_url: "https://shop.example/new"}
      - {source_url: "https://shop.example/b", target_url: "https://shop.example", status_code: 302, subpath_matching: true, preserve_path_suffix: false}
  - {name: theirs, kind: ip, items: external}
  - {name: gone, kind: ip, absent: true}
`),
    );
    expect(lists?.map(({ cause: _cause, ...list }) => list)).toEqual([
      {
        name: 'office',
        kind: 'ip',
        presence: 'present',
        description: 'Office',
        items: [{ ip: '203.0.113.0/24' }, { ip: '198.51.100.7' }, { ip: '2001:db8::/32', comment: 'VPN' }],
      },
      {
        name: 'providers',
        kind: 'asn',
        presence: 'present',
        items: [{ asn: 64_496 }, { asn: 64_497, comment: 'two' }],
      },
      {
        name: 'hosts',
        kind: 'hostname',
        presence: 'present',
        items: [{ hostname: 'shop.example' }, { hostname: '*.shop.example', exclude_exact_hostname: true }],
      },
      {
        name: 'old',
        kind: 'redirect',
        presence: 'present',
        items: [
          { source_url: 'shop.example/', target_url: 'https://shop.example/new', status_code: 301 },
          {
            source_url: 'https://shop.example/b',
            target_url: 'https://shop.example/',
            status_code: 302,
            subpath_matching: true,
            preserve_path_suffix: false,
          },
        ],
      },
      { name: 'theirs', kind: 'ip', presence: 'present', items: 'external' },
      { name: 'gone', kind: 'ip', presence: 'absent', items: [] },
    ]);
  });

  test.each([
    ['a CSV file', 'l.csv', '# ours\nip,comment\n203.0.113.0/24,"Office, north"\n\n198.51.100.7,\n'],
    ['plain lines', 'l.txt', '# ours\n203.0.113.0/24 # north\n\n  198.51.100.7\r\n'],
    ['a CSV file of another name', 'l.list', 'comment,ip\n"Office, north",203.0.113.0/24\n,198.51.100.7\n'],
  ])('come from %s', async (_, name, text) => {
    const lists = await listsOf(
      account(`  - {name: office, kind: ip, items_from: data/${name}}\n`, { [`data/${name}`]: text }),
    );
    const comment = name === 'l.txt' ? {} : { comment: 'Office, north' };
    expect(lists?.[0]?.items).toEqual([{ ip: '203.0.113.0/24', ...comment }, { ip: '198.51.100.7' }]);
  });

  test('may come from a file beside the one that names it', async () => {
    const files = account('  - {name: a, kind: asn, items_from: as.txt}\n', {
      'accounts/as.txt': 'AS64496\n',
    });
    expect((await listsOf(files))?.[0]?.items).toEqual([{ asn: 64_496 }]);
  });

  test('of redirects come from CSV with flags in any case', async () => {
    const csv =
      'source_url,target_url,status_code,preserve_query_string\na.example/x,https://b.example/y,308,TRUE\n';
    const files = account('  - {name: old, kind: redirect, items_from: data/r.csv}\n', { 'data/r.csv': csv });
    expect((await listsOf(files))?.[0]?.items).toEqual([
      {
        source_url: 'a.example/x',
        target_url: 'https://b.example/y',
        status_code: 308,
        preserve_query_string: true,
      },
    ]);
  });
});

describe('what the service would refuse is an error with file, line and how to mend it', () => {
  test.each([
    ['ip', '10.0.0.1/8', 'write the network 10.0.0.0/8, or the address 10.0.0.1'],
    ['ip', '10.0.0.0/4', 'for IPv4 they take /8 to /32'],
    ['ip', '2001:db8::/96', 'for IPv6 they take /12 to /64'],
    ['ip', '010.0.0.1', 'neither an address nor a network'],
    ['ip', 'office', 'neither an address nor a network'],
    ['asn', '4294967296', 'is no AS number'],
    ['hostname', 'https://a.example', 'without scheme'],
    ['hostname', 'a.*.example', 'is no host name'],
    ['redirect', '{source_url: "a.example/?q=1", target_url: "https://b.example"}', 'is no source URL'],
    ['redirect', '{source_url: a.example/, target_url: b.example}', 'is no target URL'],
    ['redirect', '{source_url: a.example/, target_url: "javascript:alert(1)"}', 'https:// or http://'],
    ['ip', '{ip: 192.0.2.1, comment: "${who}"}', 'variables are not filled in'],
    ['redirect', 'a.example/', 'the redirect has no target_url'],
    ['redirect', '{ip: 10.0.0.1}', 'an item of a list of kind redirect has no `ip`'],
  ])('in a list of kind %s: %s', async (kind, item, says) => {
    const [found, ...more] = await findings(
      account(`  - name: l\n    kind: ${kind}\n    items:\n      - ${item}\n`),
    );
    expect(found).toMatch(/^accounts\/a\.yaml:6:\d+ /u);
    expect(found?.split(' ')[1]).toBe('list/item');
    expect(found).toContain(says);
    expect(more).toEqual([]);
  });

  test.each([
    ['ip', '198.51.100.7', '198.51.100.7/32'],
    ['ip', '"2001:db8::/32"', '"2001:DB8:0:0::/32"'],
    ['hostname', 'a.example', 'A.EXAMPLE'],
    [
      'redirect',
      '{source_url: a.example, target_url: "https://b.example"}',
      '{source_url: a.example/, target_url: "https://c.example"}',
    ],
  ])('an item of kind %s that stands twice in another spelling: %s', async (kind, one, other) => {
    const found = await findings(
      account(`  - name: l\n    kind: ${kind}\n    items:\n      - ${one}\n      - ${other}\n`),
    );
    expect(found.map((one) => one.split(' ')[1])).toEqual(['list/item-twice']);
    expect(found[0]).toMatch(
      /^accounts\/a\.yaml:7:\d+ list\/item-twice .*the first is at accounts\/a\.yaml:6/u,
    );
  });

  test.each([
    ['a wrong item', 'ip,comment\n10.0.0.1,\n10.0.0.1/8,x\n', 'data/l.csv:3:1 list/item 10.0.0.1/8'],
    ['an item after one of several lines', 'ip,comment\n10.0.0.1,"a\nb"\nx,\n', 'data/l.csv:4:1 list/item x'],
    ['no header row', '10.0.0.1,Office\n', 'data/l.csv:1:1 list/items-file "10.0.0.1" is no field'],
    ['a mistyped field', '\nip,coment\n10.0.0.1,x\n', 'data/l.csv:2:1 list/items-file "coment" is no field'],
    [
      'a cell too many',
      'ip,comment\n10.0.0.1,a,b\n',
      'data/l.csv:2:1 list/items-file the row has more cells',
    ],
    [
      'a comment that is too long',
      `ip,comment\n10.0.0.1,${'c'.repeat(501)}\n`,
      'data/l.csv:2:1 list/item the',
    ],
    ['no address', 'ip,comment\n,x\n', 'data/l.csv:2:1 list/item "" is neither'],
    [
      'a quote that does not end',
      'ip,comment\n10.0.0.1,"a\n',
      'data/l.csv:2:1 list/items-file this is not CSV',
    ],
    [
      'a quote that does not end, in a file with the line ends of Windows',
      '\uFEFFip,comment\r\n10.0.0.1,"a\r\nb"\r\n\r\n# c\r\n10.0.0.2,"d\r\n10.0.0.3,\r\n10.0.0.4,\r\n',
      'data/l.csv:6:1 list/items-file this is not CSV',
    ],
    [
      'a quote within a value',
      'ip,comment\n10.0.0.1,"a"b\n10.0.0.2,\n',
      'data/l.csv:2:1 list/items-file this is not CSV',
    ],
    [
      'an item after one of several lines, with the line ends of Windows',
      'ip,comment\r\n10.0.0.1,"a\r\nb"\r\nx,\r\n',
      'data/l.csv:4:1 list/item x',
    ],
  ])('in a CSV file: %s', async (_, text, says) => {
    const found = await findings(
      account('  - {name: l, kind: ip, items_from: data/l.csv}\n', { 'data/l.csv': text }),
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(says);
  });

  test.each([
    ['items: externl', 'schema/wrong-form'],
    ['items: [true]', 'schema/wrong-type'],
    ['items: [{ip: 10.0.0.1, comment: [a]}]', 'schema/wrong-type'],
  ])('what the schema refuses is told once: %s', async (items, code) => {
    const found = await findings(account(`  - {name: l, kind: ip, ${items}}\n`));
    expect(found).toEqual([expect.stringMatching(new RegExp(`^accounts/a\\.yaml:3:\\d+ ${code}`, 'u'))]);
  });

  test('a file that is not there, and one outside the project', async () => {
    expect(await findings(account('  - {name: l, kind: ip, items_from: data/l.csv}\n'))).toEqual([
      expect.stringMatching(/^accounts\/a\.yaml:3:\d+ list\/items-file there is no file data\/l\.csv/u),
    ]);
    expect(await findings(account('  - {name: l, kind: ip, items_from: ../../etc/passwd}\n'))).toEqual([
      expect.stringContaining('list/items-file'),
    ]);
  });

  test('a list that two files declare, or that says both where its items are', async () => {
    const code = 'config/duplicate-list';
    const twice = account('  - {name: l, kind: ip, items: []}\n', {
      'accounts/b.yaml': 'account: Example Shop\nlists:\n  - {name: l, kind: ip, items: []}\n',
    });
    expect(await findings(twice)).toEqual([expect.stringContaining(`accounts/b.yaml:3:12 ${code}`)]);
    expect(
      await findings(account('  - {name: l, kind: ip, items: [], items_from: a.txt}\n', { 'a.txt': '' })),
    ).toEqual([expect.stringContaining('are mutually exclusive')]);
    expect(await findings(account('  - {name: l, kind: ip}\n'))).toEqual([
      expect.stringContaining('exactly one of'),
    ]);
  });
});

test('a rule that looks something else up in a declared list is an error before live is read', async () => {
  const zone = `zone: shop.example
entrypoints:
  http_request_firewall_custom:
    rules:
      - {ref: right, action: block, expression: ip.src.asnum in $providers}
      - {ref: wrong, action: block, expression: ip.src in $providers}
      - {ref: other, action: block, expression: ip.src in $not_declared}
`;
  const found = await findings(
    account('  - {name: providers, kind: asn, items: [64496]}\n', { 'zones/a.yaml': zone }),
  );
  expect(found).toEqual([
    expect.stringMatching(
      /^zones\/a\.yaml:6:\d+ list\/wrong-kind the list `providers` .* holds AS numbers, and addresses are looked up in it/u,
    ),
  ]);
});
