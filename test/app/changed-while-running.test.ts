import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { plan } from '../../src/app/plan-project.ts';
import { NO_SECRETS } from '../../src/app/project/project-secrets.ts';
import { runTime } from '../../src/app/run/time.ts';
import { runBudget } from '../../src/app/service/run-budget.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { inFolder, PROJECT } from '../config/project-folder.ts';

const zone = (name: string): string => `zone: ${name}
entrypoints:
  http_request_firewall_custom:
    rules:
      - { ref: own, expression: ip.src eq 192.0.2.1, action: block }
`;

it('plans the files as they were checked, even when one changes while live is read', async () => {
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
      {
        service: { kind: 'service', baseUrl: emulator.baseUrl, credentials },
        env: {},
        secrets: NO_SECRETS,
        concurrency: 1,
        ...runTime(),
        budget: runBudget(),
      },
      // All files are checked by now, and no scope is read yet.
      ({ kind }) => {
        if (kind === 'scopes') {
          writeFileSync(join(root, 'zones/shop.yaml'), zone('shop.example').replace('block', 'log'));
        }
      },
    );
    expect(result).toMatchObject({ kind: 'planned' });
    const scopes = result.kind === 'planned' ? result.plan.scopes : [];
    const wanted = scopes.map((one) => [one.scope.name, JSON.stringify(one).includes('"action":"block"')]);
    expect(wanted).toEqual([
      ['blog.example', true],
      ['shop.example', true],
    ]);
  });
});
