import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');

/** How a composite action ended. */
export interface ActionRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

interface Step {
  /** Absent in a step that uses another action; such steps are not run. */
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** Runs the steps of a composite action with bash, with the files and variables that GitHub's runner gives them. */
export async function runAction(
  name: string,
  inputs: Readonly<Record<string, string>>,
  {
    workspace,
    temp,
    env = {},
  }: { readonly workspace: string; readonly temp: string; readonly env?: NodeJS.ProcessEnv },
): Promise<ActionRun> {
  const folder = join(ROOT, '.github', 'actions', name);
  const action = parse(await readFile(join(folder, 'action.yml'), 'utf8')) as Action;
  const unknown = Object.keys(inputs).filter((input) => !(input in action.inputs));
  if (unknown.length > 0) {
    throw new Error(`no such input: ${unknown.join(', ')}`);
  }
  const values: Record<string, string> = { 'github.action_path': folder, 'runner.temp': temp };
  for (const [input, { default: fallback = '' }] of Object.entries(action.inputs)) {
    values[`inputs.${input}`] = inputs[input] ?? fallback;
  }
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_match, key: string) => {
      const value = values[key];
      if (value === undefined) {
        throw new Error(`nothing is known of ${key}`);
      }
      return value;
    });
  const files = { GITHUB_OUTPUT: join(temp, 'output'), GITHUB_STEP_SUMMARY: join(temp, 'summary') };
  await Promise.all(Object.values(files).map((file) => writeFile(file, '')));
  let ended = { code: 0, stdout: '', stderr: '' };
  for (const { run, env: stepEnv = {} } of action.runs.steps) {
    if (run === undefined) {
      continue;
    }
    const given = Object.fromEntries(Object.entries(stepEnv).map(([key, text]) => [key, fill(text)]));
    const { PATH, HOME } = process.env;
    const next = await bash(run, workspace, {
      PATH,
      HOME,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'owner/name',
      GITHUB_SHA: 'a'.repeat(40),
      GITHUB_RUN_ID: '1',
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
      ...files,
      ...env,
      ...given,
    });
    ended = { code: next.code, stdout: ended.stdout + next.stdout, stderr: ended.stderr + next.stderr };
    if (next.code !== 0) {
      break;
    }
  }
  const lines = (await readFile(files.GITHUB_OUTPUT, 'utf8')).trimEnd().split('\n');
  const outputs = Object.fromEntries(
    lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  return { ...ended, outputs, summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8') };
}

/** Returns the lines of a step's output that the runner obeys as commands: trimmed, and none while `::stop-commands::` is in force. */
export function obeyed(stdout: string): readonly string[] {
  const commands: string[] = [];
  let deafUntil: string | null = null;
  for (const line of stdout.split('\n').map((one) => one.trim())) {
    const [, word] = /^::stop-commands::(.+)$/.exec(line) ?? [];
    if (deafUntil !== null) {
      deafUntil = line === `::${deafUntil}::` ? null : deafUntil;
    } else if (word !== undefined) {
      deafUntil = word;
    } else if (line.startsWith('::')) {
      commands.push(line);
    }
  }
  return commands;
}

/** Runs a script as the runner runs a step with `shell: bash`. */
function bash(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd, env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}
