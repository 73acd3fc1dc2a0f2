import { expect, test } from 'vitest';
import { readResources, readState } from '../../src/import/index.ts';

const ACCOUNT = 'a'.repeat(32);
const ID = 'b'.repeat(32);

const instance = (type: string, name: string, attributes: object, more: object = {}): object => ({
  mode: 'managed',
  type,
  name,
  instances: [{ attributes, ...more }],
});

const list = (more: object, marks: object = {}): object =>
  instance('cloudflare_list', 'l', { account_id: ACCOUNT, id: ID, name: 'l', kind: 'ip', ...more }, marks);

const item = (name: string, more: object): object =>
  instance('cloudflare_list_item', name, { account_id: ACCOUNT, list_id: ID, id: name, ...more });

const read = (...resources: readonly object[]) => {
  const state = readState(JSON.stringify({ version: 4, terraform_version: '1.9.0', resources }));
  return state.kind === 'state' ? readResources(state) : undefined;
};

test.each([
  [
    'version 5',
    [list({ items: [{ ip: '203.0.113.0/24', comment: 'Main', asn: null, hostname: null, redirect: null }] })],
    [{ ip: '203.0.113.0/24', comment: 'Main' }],
  ],
  [
    'version 4',
    [
      list({
        item: [{ comment: '', value: [{ ip: '198.51.100.7', asn: 0, hostname: [], redirect: [] }] }],
      }),
    ],
    [{ ip: '198.51.100.7' }],
  ],
  [
    'items that are resources of their own',
    [list({ items: null }), item('one', { ip: '198.51.100.7', comment: null, hostname: null })],
    [{ ip: '198.51.100.7' }],
  ],
  [
    'redirects of version 4, with words for flags',
    [
      list({
        kind: 'redirect',
        item: [
          {
            value: [
              {
                ip: '',
                redirect: [
                  {
                    source_url: 'shop.example/old',
                    target_url: 'https://shop.example/new',
                    status_code: 308,
                    include_subdomains: 'enabled',
                    subpath_matching: 'disabled',
                    preserve_query_string: '',
                  },
                ],
              },
            ],
          },
        ],
      }),
    ],
    [
      {
        source_url: 'shop.example/old',
        target_url: 'https://shop.example/new',
        status_code: 308,
        include_subdomains: true,
      },
    ],
  ],
  [
    'host names of version 5',
    [
      list({
        kind: 'hostname',
        items: [{ hostname: { url_hostname: '*.shop.example', exclude_exact_hostname: null } }],
      }),
    ],
    [{ hostname: '*.shop.example' }],
  ],
])('%s', (_what, resources, items) => {
  expect(read(...resources)).toMatchObject({ left: [], lists: [{ name: 'l', items }] });
});

test.each([
  ['an item whose list is not in the state', [item('one', { ip: '198.51.100.7' })]],
  ['a kind that is not known', [list({ kind: 'country' })]],
  ['an item that no file can hold', [list({ items: [{ ip: '203.0.113.7/24' }] })]],
  [
    'a list with something sensitive',
    [
      list(
        { items: [{ ip: '203.0.113.7' }] },
        { sensitive_attributes: [[{ type: 'get_attr', value: 'items' }]] },
      ),
    ],
  ],
])('%s is left in the state', (_what, resources) => {
  expect(read(...resources)).toMatchObject({ lists: [], left: [{ why: expect.stringMatching(/\S/u) }] });
});
