// The tools that are compared, each as it is meant to be used: the files it wants, and one command for each job. A tool is left out where what it
// needs is not on the machine.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { editedRules, liveRules, PHASE, zoneName } from './world.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const PROGRAM = join(HERE, '..', '..', 'dist', 'cli', 'main.js');

/** The packages that are installed, as they were when the page of results was written. */
const PYTHON_PACKAGES = ['octorules==0.37.0', 'octorules-cloudflare==0.18.1', 'cloudflare==5.9.0'];
const GO_SDK = 'github.com/cloudflare/cloudflare-go/v6@v6.10.0';

/**
 * @typedef {'lint' | 'plan' | 'plan-edit' | 'apply' | 'import'} Job
 * @typedef {{ readonly cwd: string, readonly command: readonly string[] }} Invocation
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} version
 * @property {(folder: string, size: import('./world.mjs').Size, env: Readonly<Record<string, string>>) => Promise<Partial<Readonly<Record<Job, Invocation>>>>} prepare
 *   writes the files and tells the commands; a job that a tool has no word for is left out
 * @property {(folder: string) => Promise<void>} fresh takes away what a run left for the next one, so that each is as the first
 */

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} [more]
 */
function run(command, args, more = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...more },
  });
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  }
  return stdout;
}

/** @param {string} command */
const isThere = (command) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));

/**
 * Files of one desired state in a folder.
 *
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} files
 */
async function writeAll(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/**
 * The two desired states, as the files of a tool: what is live already, and what a change wants.
 *
 * @param {string} folder
 * @param {import('./world.mjs').Size} size
 * @param {(rulesOf: (zone: number) => readonly object[]) => Readonly<Record<string, string>>} files
 */
async function writeStates(folder, { rules }, files) {
  const same = join(folder, 'same');
  const edited = join(folder, 'edited');
  await writeAll(
    same,
    files((zone) => liveRules(zone, rules)),
  );
  await writeAll(
    edited,
    files((zone) => editedRules(zone, rules)),
  );
  const empty = join(folder, 'empty');
  return { same, edited, empty };
}

/** @param {import('./world.mjs').Size} size */
const zonesOf = ({ zones }) => Array.from({ length: zones }, (_, zone) => zone);

/** @returns {Tool} */
function rulewright() {
  return {
    name: 'rulewright',
    version: run(process.execPath, [PROGRAM, '--version']).trim().split(/\s+/u).at(0) ?? '',
    async prepare(folder, size) {
      const states = await writeStates(folder, size, (rulesOf) => ({
        'rulewright.yaml': stringify({ version: 1, files: ['zones/*.yaml'] }),
        ...Object.fromEntries(
          zonesOf(size).map((zone) => [
            `zones/${zoneName(zone)}.yaml`,
            stringify({ zone: zoneName(zone), entrypoints: { [PHASE]: { rules: rulesOf(zone) } } }),
          ]),
        ),
      }));
      await mkdir(states.empty, { recursive: true });
      const command = (/** @type {readonly string[]} */ ...args) => [process.execPath, PROGRAM, ...args];
      return {
        lint: { cwd: states.same, command: command('validate') },
        plan: { cwd: states.same, command: command('plan') },
        'plan-edit': { cwd: states.edited, command: command('plan') },
        apply: { cwd: states.edited, command: command('apply', '--yes', '--allow', 'all') },
        import: { cwd: states.empty, command: command('import', '--all-zones') },
      };
    },
    async fresh(folder) {
      for (const state of ['same', 'edited']) {
        await rm(join(folder, state, '.rulewright'), { recursive: true, force: true });
      }
      await rm(join(folder, 'empty'), { recursive: true, force: true });
      await mkdir(join(folder, 'empty'), { recursive: true });
    },
  };
}

/**
 * @param {string} venv
 * @returns {Tool}
 */
function octorules(venv) {
  const program = join(venv, 'bin', 'octorules');
  return {
    name: 'octorules',
    version: PYTHON_PACKAGES[0]?.split('==').at(1) ?? '',
    async prepare(folder, size) {
      const config = stringify({
        providers: { cloudflare: { token: 'env/CLOUDFLARE_API_TOKEN' }, rules: { directory: './rules' } },
        zones: Object.fromEntries(zonesOf(size).map((zone) => [zoneName(zone), { sources: ['rules'] }])),
      });
      const states = await writeStates(folder, size, (rulesOf) => ({
        'config.yaml': config,
        ...Object.fromEntries(
          zonesOf(size).map((zone) => [
            `rules/${zoneName(zone)}.yaml`,
            stringify({ cloudflare: { waf_custom_rules: rulesOf(zone) } }),
          ]),
        ),
      }));
      await writeAll(states.empty, { 'config.yaml': config });
      await mkdir(join(states.empty, 'rules'), { recursive: true });
      // Zones only: there is no file of the account, which it would look through as well.
      const command = (/** @type {readonly string[]} */ ...args) => [program, '--scope', 'zones', ...args];
      return {
        lint: { cwd: states.same, command: command('lint') },
        plan: { cwd: states.same, command: command('plan') },
        'plan-edit': { cwd: states.edited, command: command('plan') },
        apply: { cwd: states.edited, command: command('sync', '--doit', '--force') },
        import: { cwd: states.empty, command: command('dump') },
      };
    },
    async fresh(folder) {
      await rm(join(folder, 'empty', 'rules'), { recursive: true, force: true });
      await mkdir(join(folder, 'empty', 'rules'), { recursive: true });
    },
  };
}

/**
 * A script on one of the vendor's SDKs: reads the entry point of each zone, one after the other, and sends all rules where they differ.
 *
 * @param {string} name
 * @param {string} version
 * @param {readonly string[]} program
 * @returns {Tool}
 */
function script(name, version, program) {
  return {
    name,
    version,
    async prepare(folder, size) {
      const states = await writeStates(folder, size, (rulesOf) => ({
        'desired.json': JSON.stringify(
          Object.fromEntries(zonesOf(size).map((zone) => [zoneName(zone), rulesOf(zone)])),
        ),
      }));
      return {
        plan: { cwd: states.same, command: [...program, 'plan', 'desired.json'] },
        'plan-edit': { cwd: states.edited, command: [...program, 'plan', 'desired.json'] },
        apply: { cwd: states.edited, command: [...program, 'apply', 'desired.json'] },
      };
    },
    fresh: async () => undefined,
  };
}

/**
 * OpenTofu with the vendor's provider, both given as binaries. It begins with a state that knows everything, made by import blocks.
 *
 * @param {string} tofu
 * @param {string} provider
 * @returns {Tool}
 */
function openTofu(tofu, provider) {
  const config = (/** @type {string} */ folder) => join(folder, 'tofu.rc');
  return {
    name: 'OpenTofu',
    version: JSON.parse(run(tofu, ['version', '-json'])).terraform_version,
    async prepare(folder, size, env) {
      const read = async (/** @type {string} */ path) => {
        const answer = await fetch(env['CLOUDFLARE_BASE_URL'] + path, {
          headers: { authorization: `Bearer ${env['CLOUDFLARE_API_TOKEN']}` },
        });
        return (await answer.json()).result;
      };
      const ids = await Promise.all(
        zonesOf(size).map(async (zone) => {
          const [{ id }] = await read(`/zones?name=${zoneName(zone)}`);
          const { id: ruleset } = await read(`/zones/${id}/rulesets/phases/${PHASE}/entrypoint`);
          return { zone: id, ruleset };
        }),
      );
      await writeAll(folder, {
        'tofu.rc': `provider_installation {\n  dev_overrides {\n    "cloudflare/cloudflare" = ${JSON.stringify(dirname(provider))}\n  }\n  direct {}\n}\n`,
      });
      const states = await writeStates(folder, size, (rulesOf) => ({
        'main.tf.json': JSON.stringify({
          terraform: { required_providers: { cloudflare: { source: 'cloudflare/cloudflare' } } },
          resource: {
            cloudflare_ruleset: Object.fromEntries(
              ids.map((of, zone) => [
                `z${zone}`,
                { zone_id: of.zone, name: 'default', kind: 'zone', phase: PHASE, rules: rulesOf(zone) },
              ]),
            ),
          },
        }),
      }));
      const imports = ids.map((of, zone) => ({
        to: `cloudflare_ruleset.z${zone}`,
        id: `zones/${of.zone}/${of.ruleset}`,
      }));
      await writeAll(states.same, { 'import.tf.json': JSON.stringify({ import: imports }) });
      run(tofu, [`-chdir=${states.same}`, 'apply', '-auto-approve', '-input=false'], {
        ...env,
        TF_CLI_CONFIG_FILE: config(folder),
      });
      await rm(join(states.same, 'import.tf.json'));
      for (const state of [states.same, states.edited]) {
        await copyFile(join(states.same, 'terraform.tfstate'), join(state, 'start.tfstate'));
      }
      const command = (/** @type {readonly string[]} */ ...args) => [
        'env',
        `TF_CLI_CONFIG_FILE=${config(folder)}`,
        tofu,
        ...args,
        '-input=false',
      ];
      return {
        plan: { cwd: states.same, command: command('plan') },
        'plan-edit': { cwd: states.edited, command: command('plan') },
        apply: { cwd: states.edited, command: command('apply', '-auto-approve') },
      };
    },
    async fresh(folder) {
      for (const state of ['same', 'edited']) {
        await copyFile(join(folder, state, 'start.tfstate'), join(folder, state, 'terraform.tfstate'));
      }
    },
  };
}

/**
 * Sets up the tools that are wanted, where that can be done here. What cannot is said on stderr.
 *
 * @param {string} folder for what is installed
 * @param {string | undefined} names of tools, with commas between; all where it is left out
 * @returns {Promise<readonly Tool[]>}
 */
export async function setUpTools(folder, names) {
  const wants = (/** @type {string} */ name) => names === undefined || names.split(',').includes(name);
  const missing = (/** @type {string} */ what) => console.error(`Left out: ${what}`);
  const tools = wants('rulewright') ? [rulewright()] : [];
  if (!isThere('python3')) {
    missing('octorules and the Python SDK, since there is no python3');
  } else if (wants('octorules') || wants('Python SDK')) {
    const venv = join(folder, 'venv');
    if (!existsSync(join(venv, 'bin', 'octorules'))) {
      run('python3', ['-m', 'venv', venv]);
      run(join(venv, 'bin', 'pip'), ['install', '--quiet', ...PYTHON_PACKAGES]);
    }
    const sdk =
      PYTHON_PACKAGES.find((name) => name.startsWith('cloudflare='))
        ?.split('==')
        .at(1) ?? '';
    tools.push(octorules(venv));
    tools.push(script('Python SDK', sdk, [join(venv, 'bin', 'python'), join(HERE, 'sdk', 'put.py')]));
  }
  const { version } = JSON.parse(
    await readFile(join(HERE, '..', '..', 'node_modules', 'cloudflare', 'package.json'), 'utf8'),
  );
  tools.push(script('TypeScript SDK', version, [process.execPath, join(HERE, 'sdk', 'put.mjs')]));
  if (!isThere('go')) {
    missing('the Go SDK, since there is no go');
  } else if (wants('Go SDK')) {
    const program = join(folder, 'go', 'put');
    if (!existsSync(program)) {
      await mkdir(dirname(program), { recursive: true });
      await copyFile(join(HERE, 'sdk', 'put.go'), join(folder, 'go', 'main.go'));
      run('sh', [
        '-c',
        'cd "$1" && go mod init put && go get "$2" && go build -o put .',
        'sh',
        join(folder, 'go'),
        GO_SDK,
      ]);
    }
    tools.push(script('Go SDK', GO_SDK.split('@v').at(1) ?? '', [program]));
  }
  const { RULEWRIGHT_TOFU: tofu, RULEWRIGHT_TOFU_PROVIDER: provider } = process.env;
  if (tofu === undefined || provider === undefined) {
    missing('OpenTofu, since RULEWRIGHT_TOFU and RULEWRIGHT_TOFU_PROVIDER name no binaries');
  } else if (wants('OpenTofu')) {
    tools.push(openTofu(tofu, provider));
  }
  return tools.filter(({ name }) => wants(name));
}
