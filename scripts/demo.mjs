// `npm run demo`: the main job told in the terminal, with real commands against the embedded service on
// loopback. Needs no network, no account and no terminal; leaves nothing behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters, styleText } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'dist/cli/main.js');
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);

const project = await mkdtemp(join(tmpdir(), 'rulewright-demo-'));
const running = new Set();
let ended = false;

process.on('SIGINT', () => finish(130));
process.on('SIGTERM', () => finish(143));
// Whoever read it has gone, as in `npm run demo | head`.
process.stdout.on('error', () => finish(0));

try {
  // Without what runs have left there, if somebody has tried the example where it lies.
  const filter = (path) => basename(path) !== '.rulewright';
  await cp(join(root, 'examples/shop'), project, { recursive: true, filter });
  await tell();
  await finish(0);
} catch (error) {
  if (!ended) {
    console.error(`\n${paint('red', 'The demo did not go as it should')}: ${error.message}`);
    await finish(1);
  }
}

async function tell() {
  heading('The embedded service starts', [
    'It speaks the interface of the real one, over HTTP on loopback: one account',
    'and three zones of a shop, with rules that somebody clicked together.',
  ]);
  const service = await startService();
  console.log(`${paint('dim', '$')} rulewright emulator --port 0\n${service.baseUrl}`);
  const env = { CLOUDFLARE_BASE_URL: service.baseUrl, CLOUDFLARE_API_TOKEN: service.token };

  heading('The files are checked', ['The same shop as YAML in Git. No network is needed for this.']);
  await rulewright(['validate'], { env, exit: 0, says: 'Valid: ' });

  heading('What would change?', [
    'In a pull request this is what reviewers read. Lists are part of it: an',
    'address that the office list gains weakens the block of admin pages, and a',
    'CSV file holds the old URLs. So are settings such as the check for leaked',
    'passwords.',
  ]);
  await rulewright(['plan', '--quiet'], { env, exit: 0, says: 'Plan: ' });

  heading('The change is merged and applied', [
    'A first roll-out changes more than the guards let pass, so it is allowed for',
    'this run. Each write is read back and compared with the plan.',
  ]);
  await rulewright(['apply', '--yes', '--quiet', '--allow', 'changed'], {
    env,
    exit: 0,
    says: 'Applied. ',
    from: 'account:',
  });

  heading('Running it again does nothing', ['Live equals the files, so there is nothing to plan.']);
  await rulewright(['plan', '--exit-code', '--quiet'], { env, exit: 0, says: 'No changes. ' });

  heading('At night somebody changes a rule in the dashboard', [
    'The admin pages are opened to one more network, and nobody tells the files.',
  ]);
  await editInDashboard(service);

  heading('The nightly run finds the drift', ['Exit code 2, so that a schedule can tell somebody.']);
  await rulewright(['drift', '--quiet'], { env, exit: 2, says: 'Drift: ' });

  heading('The files win', ['One rule differs, so one request is written.']);
  await rulewright(['apply', '--yes', '--quiet'], {
    env,
    exit: 0,
    says: 'Applied. 1 ruleset: 1 done.',
    from: 'zone:',
  });
  await rulewright(['drift', '--quiet'], { env, exit: 0, says: 'No drift. ' });

  heading('What the service was asked', []);
  console.log(await countRequests(service));
  console.log(`\n${paint('green', 'Done.')} Next: examples/shop, and rulewright --help.`);
}

function heading(title, lines) {
  console.log(`\n${paint('bold', `== ${title}`)}`);
  for (const line of lines) {
    console.log(paint('dim', `   ${line}`));
  }
  console.log();
}

/** Starts the service as a command of its own; its first line says where it is. */
async function startService() {
  const child = start(['emulator', '--port', '0', '--format', 'json', '--quiet'], { stderr: 'inherit' });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the embedded service ended with ${code}`);
    }),
  ]);
  return JSON.parse(line);
}

/**
 * Runs a command, shows its output and checks how it ended. `from` leaves out what comes before the first
 * line that begins so: apply shows the plan once more.
 */
async function rulewright(args, { env, exit, says, from }) {
  console.log(`${paint('dim', '$')} rulewright ${args.filter((arg) => arg !== '--quiet').join(' ')}`);
  const { columns } = process.stdout;
  const look = {
    ...(colour ? { FORCE_COLOR: '1' } : {}),
    // Its output goes through a pipe, where lines stay whole.
    ...(columns === undefined ? {} : { COLUMNS: String(columns) }),
  };
  const child = start(args, { env: { ...env, ...look }, stderr: 'inherit' });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  const [code] = await once(child, 'close');
  const lines = output.split('\n');
  const first =
    from === undefined ? 0 : lines.findIndex((line) => stripVTControlCharacters(line).startsWith(from));
  process.stdout.write(lines.slice(Math.max(first, 0)).join('\n'));
  if (code !== exit) {
    throw new Error(`rulewright ${args[0]} ended with ${code}, not with ${exit}`);
  }
  if (!stripVTControlCharacters(output).includes(says)) {
    throw new Error(`rulewright ${args[0]} did not say "${says}"`);
  }
}

/** A PATCH as the dashboard sends it. */
async function editInDashboard(service) {
  const call = async (path, init = {}) => {
    const response = await fetch(service.baseUrl + path, {
      ...init,
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    });
    const { success, result, errors } = await response.json();
    if (!success) {
      throw new Error(`${path}: ${JSON.stringify(errors)}`);
    }
    return result;
  };
  const [zone] = await call('/zones?name=shop.example');
  const rulesets = `/zones/${zone.id}/rulesets`;
  const ruleset = await call(`${rulesets}/phases/http_request_firewall_custom/entrypoint`);
  const { action, description, enabled, expression, id, ref } = ruleset.rules.find(
    (rule) => rule.ref === 'block-admin',
  );
  const opened = `${expression} and not ip.src in {192.0.2.0/24}`;
  await call(`${rulesets}/${ruleset.id}/rules/${id}`, {
    method: 'PATCH',
    body: JSON.stringify({ action, description, enabled, ref, expression: opened }),
  });
  console.log(`${paint('dim', 'PATCH')} shop.example, rule block-admin: ${opened}`);
}

async function countRequests(service) {
  const response = await fetch(new URL('/_emulator/requests', service.baseUrl));
  const requests = await response.json();
  const writes = requests.filter(({ wrote }) => wrote).length;
  return `${requests.length} requests, ${writes} of which wrote.`;
}

function start(args, { env = {}, stderr }) {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', stderr],
  });
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

/** Stops what runs, removes the folder, and ends. */
async function finish(code) {
  if (ended) {
    return;
  }
  ended = true;
  await Promise.all(
    [...running].map(async (child) => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }),
  );
  await rm(project, { recursive: true, force: true });
  process.exit(code);
}
