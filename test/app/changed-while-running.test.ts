import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { plan } from '../../src/app/plan.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { inFolder, PROJECT } from '../config/project-folder.ts';

const zone = (name: string): string => `zone: ${name}
entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: own, expression: ip.src eq 192.0.2.1, action: block }
`;

it('fails the scope of a file that is changed while live is read, and no other', async () => {
  const emulator = await startEmulator({ budget: 'off' });
  onTestFinished(() => emulator.close());
  const files = {
    'rulewright.yaml': PROJECT,
    'zones/blog.yaml': zone('blog.example'),
    'zones/shop.yaml': zone('shop.example'),
  };
  await inFolder(files, async (root) => {
    const credentials = { kind: 'token', token: emulator.token } as const;
    const result = await plan(
      { cwd: root, paths: [], targets: [] },
      { service: { kind: 'service', baseUrl: emulator.baseUrl, credentials }, env: {}, concurrency: 1 },
      // All files are checked by now, and no scope is read yet.
      ({ kind }) => {
        if (kind === 'scopes') {
          appendFileSync(join(root, 'zones/shop.yaml'), '# later\n');
        }
      },
    );
    expect(result).toMatchObject({
      kind: 'planned',
      plan: {
        scopes: [
          { kind: 'planned', scope: { name: 'blog.example' } },
          {
            kind: 'failed',
            scope: { name: 'shop.example' },
            error: {
              code: 'config/changed-while-running',
              message: expect.stringContaining('zones/shop.yaml was changed'),
            },
          },
        ],
      },
    });
  });
});
