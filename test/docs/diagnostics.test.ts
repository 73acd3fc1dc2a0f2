import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { plan } from '../../src/app/plan-project.ts';
import { NO_SECRETS } from '../../src/app/project/project-secrets.ts';
import { runTime } from '../../src/app/run/time.ts';
import { runBudget } from '../../src/app/service/run-budget.ts';
import type { FileFindings } from '../../src/app/run/results.ts';
import { DIAGNOSTIC_CODES } from '../../src/config/source/finding.ts';
import { checkExpression } from '../../src/expression/check-expression.ts';
import { CODES } from '../../src/expression/check/check-finding.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { TEST_CODES } from '../../src/simulate/test-problem.ts';
import { rulewright } from '../cli/in-process.ts';
import { inFolder, loadFiles, PROJECT } from '../config/project-folder.ts';
import type { Files } from '../config/project-folder.ts';

// docs/diagnostics.md has a section for each code. The tests check the files or the expression of each section, and compare the finding with
// the output in the section. RULEWRIGHT_UPDATE_SCENARIOS=1 rewrites the outputs.

const PAGE = new URL('../../docs/diagnostics.md', import.meta.url);
const UPDATE = process.env['RULEWRIGHT_UPDATE_SCENARIOS'] === '1';

/** Codes that cannot occur at present, or whose finding says what day it is; their sections say why. */
const WITHOUT_EXAMPLE: ReadonlySet<string> = new Set(['schema/invalid', 'active/ends-soon']);

const WORDS = { error: 'Error', warning: 'Warning', info: 'Note' } as const;

const KNOWN = new Map(
  [
    ...Object.entries(DIAGNOSTIC_CODES),
    ...Object.entries(CODES),
    ...Object.entries(TEST_CODES).map(
      ([code, title]) => [code, { severity: 'error', title } as const] as const,
    ),
  ].map(([code, { severity, title }]) => [
    code,
    `${WORDS[severity]}. ${title.slice(0, 1).toUpperCase()}${title.slice(1)}.`,
  ]),
);

const page = readFileSync(PAGE, 'utf8');
const sections = page
  .split(/^### /mu)
  .slice(1)
  .map((section) => {
    const code = /^`(?<code>[^`]+)`/u.exec(section)?.groups?.['code'] ?? section;
    return { code, section: section.replace(/\n## [\s\S]*$/u, '') };
  });

function fences(section: string): readonly { readonly info: string; readonly body: string }[] {
  return [...section.matchAll(/^```(?<info>.*)\n(?<body>[\s\S]*?)^```$/gmu)].map(({ groups }) => ({
    info: groups?.['info'] ?? '',
    body: groups?.['body'] ?? '',
  }));
}

/** Plans against the embedded service, because the lists are not in the files. */
function planFiles(files: Files): Promise<FileFindings> {
  return inFolder({ 'rulewright.yaml': PROJECT, ...files }, (root) =>
    plan(
      { cwd: root, paths: [], targets: [] },
      {
        service: { kind: 'emulator', stateFile: join(root, 'emulator.json') },
        env: {},
        secrets: NO_SECRETS,
        concurrency: 1,
        ...runTime(),
        budget: runBudget({ share: Infinity }),
      },
      () => undefined,
    ),
  );
}

/** The finding of the example of a section, in the form of the page. */
async function found(code: string, section: string): Promise<string | undefined> {
  const blocks = fences(section);
  const expression = blocks.find(({ info }) => info.startsWith('expression'));
  if (expression !== undefined) {
    const context = expression.info.slice('expression'.length).trim();
    const findings = checkExpression(
      expression.body.replace(/\n$/u, ''),
      context === '' ? {} : JSON.parse(context),
    ).findings;
    return shown(findings.find((one) => one.code === code));
  }
  const files = Object.fromEntries(
    blocks.flatMap(({ info, body }) => {
      const path = /^# (?<path>\S+\.yaml)\n/u.exec(body)?.groups?.['path'];
      return path === undefined || info === 'output' ? [] : [[path, body]];
    }),
  );
  const test = Object.keys(files).some((path) => path.endsWith('.test.yaml'))
    ? 'rulewright test\n'
    : undefined;
  const commands = blocks.find(({ info }) => info === 'sh')?.body ?? test;
  if (commands !== undefined) {
    return afterCommands(code, commands, files);
  }
  const { diagnostics } = code.startsWith('list/')
    ? await planFiles(files)
    : await loadFiles(files, { environment: { TEXT: 'some text', B: '' }, today: runTime().today });
  return placed(diagnostics.find((one) => one.code === code));
}

/** The finding of the last command, which is one of Rulewright, after a shell has run the lines before it in a project. */
async function afterCommands(code: string, commands: string, files: Files): Promise<string | undefined> {
  const [, before = '', argv = ''] = /^([\s\S]*?)^rulewright (.*)\n$/mu.exec(commands) ?? [];
  return inFolder({ 'rulewright.yaml': PROJECT, 'zones/.keep': '', ...files }, async (cwd) => {
    await promisify(execFile)('sh', ['-euc', before], { cwd });
    const { stdout, stderr } = await rulewright([...argv.split(' '), '--format', 'json'], { cwd });
    const result: {
      readonly diagnostics?: readonly Diagnostic[];
      readonly errors?: readonly { readonly findings: readonly Diagnostic[] }[];
    } = JSON.parse(stdout);
    const findings = result.diagnostics ?? result.errors?.flatMap((error) => error.findings);
    // The diagnostics of a plan are on stderr.
    return findings === undefined
      ? new RegExp(`^\\S+ +\\w+ ${code}\n(?:  .*\n)+`, 'mu').exec(stderr)?.[0]
      : placed(findings.find((one) => one.code === code));
  });
}

function placed(one: Diagnostic | undefined): string | undefined {
  const place =
    one?.where === undefined ? '' : `${one.where.file}:${one.where.start.line}:${one.where.start.column}\n`;
  return one === undefined ? undefined : `${place}${shown(one)}`;
}

function shown(
  one: { readonly message: string; readonly hint?: string | undefined } | undefined,
): string | undefined {
  return one === undefined
    ? undefined
    : `${one.message}\n${one.hint === undefined ? '' : `hint: ${one.hint}\n`}`;
}

describe('docs/diagnostics.md', () => {
  test('has every code once, with the severity and title of the code', () => {
    expect(sections.map(({ code }) => code)).toEqual([...KNOWN.keys()].sort());
    for (const { code, section } of sections) {
      expect(section.split('\n')[2]).toBe(KNOWN.get(code));
    }
  });

  test.each(sections.filter(({ code }) => !WITHOUT_EXAMPLE.has(code)))(
    'shows the output of its example of $code',
    async ({ code, section }) => {
      const output = await found(code, section);
      if (UPDATE && output !== undefined) {
        const before = readFileSync(PAGE, 'utf8');
        const renewed = section.replace(/^```output\n[\s\S]*?^```$/mu, () => `\`\`\`output\n${output}\`\`\``);
        writeFileSync(
          PAGE,
          before.replace(section, () => renewed),
        );
        return;
      }
      expect(fences(section).find(({ info }) => info === 'output')?.body).toBe(output);
    },
  );
});
