import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const NAME = 'http_request_teleport';

/** Its one row, and the one that the embedded service has of its own. */
const ROW = `  {
    name: '${NAME}',
    product: 'Teleports',
    summary: 'Teleports (route).',
    stage: 'request',
    actions: { zone: ['route'] },
    permissions: { zone: 'Teleports' },
    limits: { zone: [1, 1, 1, 1] },
    withoutFields: ['scored'],
  },
`;
const ITS_OWN_ROW = `  ${NAME}: { zone: ['route'], zonePermission: 'Teleports' },\n`;

/** An action, before the one that stands for it: its row, the one that the embedded service has of its own, and the phases that allow it. */
const ACTION = 'quiz';
const ACTION_ROW = `  {
    name: '${ACTION}',
    summary: 'Asks the visitor a riddle.',
    kind: 'challenge',
    strength: 2,
    verbs: SOLVED,
  },
`;
const ALLOWED = "const CHALLENGES = ['challenge', ";

let tree: string;
let project: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'invented-rows-'));
  for (const name of ['src', 'schemas', 'scripts', 'docs', 'package.json', 'CHANGELOG.md']) {
    await cp(name, join(tree, name), { recursive: true });
  }
  await symlink(resolve('node_modules'), join(tree, 'node_modules'));
  await insert('src/model/phases.ts', ROW, "  {\n    name: 'http_request_origin',");
  await insert('src/emulator/rulesets/parameters/phase-rows.ts', ITS_OWN_ROW, '  http_request_origin: {');
  await insert('src/model/actions.ts', ACTION_ROW, "  {\n    name: 'log',");
  await insert('src/emulator/rulesets/action-rows.ts', `  ${ACTION}: none,\n`, '  log: none,');
  for (const table of ['src/model/phases.ts', 'src/emulator/rulesets/parameters/phase-rows.ts']) {
    await insert(table, `${ALLOWED}'${ACTION}', `, ALLOWED, '');
  }
  await node('scripts/generate.mjs');
  await node('scripts/build.mjs', '--quiet');
  project = join(tree, 'project');
  await mkdir(project);
  await writeFile(join(project, 'rulewright.yaml'), 'version: 1\nfiles: [shop.yaml]\n');
});

afterAll(() => rm(tree, { recursive: true, force: true }));

async function insert(path: string, row: string, before: string, rest = before): Promise<void> {
  const text = await readFile(join(tree, path), 'utf8');
  expect(text.split(before)).toHaveLength(2);
  await writeFile(
    join(tree, path),
    text.replace(before, () => row + rest),
  );
}

function node(script: string, ...args: readonly string[]) {
  return run(process.execPath, [script, ...args], { cwd: tree });
}

/** Runs a command in the project; returns what it says. */
async function rulewright(...args: readonly string[]): Promise<string> {
  const main = join(tree, 'dist/cli/main.js');
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
  const { stdout, stderr } = await run(process.execPath, [main, ...args], { cwd: project, env }).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  );
  return `${stdout}${stderr}`;
}

/** Declares rules of a phase. */
function declare(phase: string, ...rules: readonly string[]): Promise<void> {
  return writeFile(
    join(project, 'shop.yaml'),
    `zone: shop.example\nentrypoints:\n  ${phase}:\n    rules:\n${rules.map((rule) => `      - ${rule}\n`).join('')}`,
  );
}

const RULE =
  '{ ref: far, action: route, expression: \'http.host eq "shop.example"\', action_parameters: { origin: { port: 8443 } } }';

test('what a file says of a phase that was added as a row is validated by that row', async () => {
  await declare(
    NAME,
    RULE.replace('route', 'block'),
    RULE.replace('http.host eq "shop.example"', 'cf.waf.score lt 20'),
  );
  const said = await rulewright('validate');
  expect(said).toContain(`the entry point of phase ${NAME} in a zone does not allow the action \`block\``);
  expect(said).toContain(`cf.waf.score does not belong in ${NAME}`);
  expect(said).not.toContain('does not exist');
});

test('a phase that was added as a row is planned, drawn, applied, read again and completed', async () => {
  await declare(NAME, RULE);
  expect(await rulewright('validate')).toContain('1 rule');
  const plan = await rulewright('plan', '--emulator');
  expect(plan).toContain('Teleports');
  expect(plan).toContain('far');
  const drawn = await rulewright('plan', '--emulator', '--format', 'html');
  expect(drawn).toContain('Teleports');
  expect(await rulewright('apply', '--emulator', '--yes', '--allow', 'weakened')).toContain('far');
  expect(await rulewright('plan', '--emulator')).toContain('No changes');
  expect(await rulewright('schema', 'zone')).toContain(NAME);
  await declare(NAME, RULE, RULE.replace('far', 'farther'));
  expect(await rulewright('plan', '--emulator')).toContain(
    'this zone would have 2. The service has the last word',
  );
});

const WAF = 'http_request_firewall_custom';
const STOPPING = `{ ref: probe, action: block, expression: 'http.request.uri.path eq "/probe"' }`;
const ASKING = STOPPING.replace('block', ACTION);

test('what a file says of an action that was added as a row is validated by that row', async () => {
  await declare('http_config_settings', ASKING);
  expect(await rulewright('validate')).toContain(`does not allow the action \`${ACTION}\``);
  await declare(WAF, ASKING.replace(' }', ', action_parameters: { riddle: 1 } }'));
  expect(await rulewright('validate')).toContain('riddle');
  await declare(WAF, ASKING.replace(ACTION, 'quix'));
  expect(await rulewright('validate')).toContain(ACTION);
  await declare(WAF, ASKING);
  expect(await rulewright('validate')).toContain('1 rule');
});

test('an action that was added as a row is judged, drawn, applied, traced and read again', async () => {
  await declare(WAF, STOPPING);
  await rulewright('apply', '--emulator', '--yes', '--allow', 'unnamed,weakened');
  await declare(WAF, ASKING);
  const plan = await rulewright('plan', '--emulator');
  expect(plan).toContain(`goes from block to ${ACTION}`);
  expect(await rulewright('plan', '--emulator', '--format', 'html')).toContain(
    `goes from block to ${ACTION}`,
  );
  expect(await rulewright('apply', '--emulator', '--yes', '--allow', 'weakened')).toContain('probe');
  expect(await rulewright('plan', '--emulator')).toContain('No changes');
  await writeFile(
    join(project, 'probe.test.yaml'),
    `zone: shop.example\ntests:\n  - name: probes are asked\n    request: { url: https://shop.example/probe }\n    expect: { action: ${ACTION}, rule: probe }\n`,
  );
  expect(await rulewright('test', 'probe.test.yaml')).toContain('1 passed');
  expect(await rulewright('explain', 'https://shop.example/probe')).toContain(`Challenged (${ACTION})`);
});
