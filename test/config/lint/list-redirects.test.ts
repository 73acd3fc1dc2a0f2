import { expect, it } from 'vitest';
import { loadFiles } from '../project-folder.ts';

const rule = (name: string, active = 'active: { until: 2099-12-31 }') =>
  `      - ref: ${name}
        action: redirect
        expression: http.request.full_uri in $${name}
        action_parameters: { from_list: { name: ${name}, key: http.request.full_uri } }
        ${active}
`;

it('tells of a rule with an end whose list has a permanent redirect, in whatever file', async () => {
  const { diagnostics } = await loadFiles({
    'accounts/lists.yaml': `account: Shop
lists:
  - { name: moved, kind: redirect, items_from: moved.csv }
  - name: soon
    kind: redirect
    items: [{ source_url: shop.example/a, target_url: 'https://shop.example/b', status_code: 302 }]
  - { name: others, kind: redirect, items: external }
`,
    'accounts/moved.csv':
      'source_url,target_url,status_code\nshop.example/x,https://shop.example/y,307\nshop.example/old,https://shop.example/new,\n',
    'accounts/rules.yaml': `account: Shop
entrypoints:
  http_request_redirect:
    rules:
${rule('moved')}${rule('soon')}${rule('others')}${rule('moved', 'description: no end').replace('ref: moved', 'ref: kept')}`,
  });
  expect(diagnostics.map(({ code, message, where }) => [code, message, where?.start.line])).toEqual([
    ['active/outlasts', expect.stringContaining('the list moved has one, shop.example/old'), 5],
  ]);
});
