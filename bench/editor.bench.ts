// Keystrokes in a project of 300 files, as an editor sees them: until findings of the new text are there, until a completion is, and until the findings
// of all files are.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  StreamMessageReader,
  StreamMessageWriter,
  createProtocolConnection,
} from 'vscode-languageserver/node';
import type { PublishDiagnosticsParams } from 'vscode-languageserver/node';
import { printTable, round } from './table.ts';

const FILES = 300;
const RULES = 10;
const KEYSTROKES = 60;
/** Between the answer to a keystroke and the next one: somebody types fast. */
const BETWEEN_MS = 100;
const PHASE = 'http_request_firewall_custom';

const rules = (domain: string): string =>
  Array.from(
    { length: RULES },
    (_, index) => `      - ref: rule-${index}
        description: What this rule is good for, number ${index}
        expression: http.host eq "host-${index}.${domain}" and starts_with(http.request.uri.path, "/path/${index}")
        action: block
`,
  ).join('');
const zone = (number: number, typed = ''): string => `zone: zone-${number}.example
vars: { domain: zone-${number}.example }
entrypoints:
  ${PHASE}:
    rules:
      - use: base
        with: { site: "\${domain}" }
      - ref: typed
        expression: http.host eq "a" and http.${typed}
        action: block
${rules(`zone-${number}.example`)}`;
const pack = (typed = ''): string => `pack: base
params: { site: { type: string } }
rules:
  - ref: one
    expression: http.host eq \${site} and http.request.method eq "POST"${typed}
    action: managed_challenge
`;

const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
write('rulewright.yaml', 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\n');
write('packs/base.yaml', pack());
for (let number = 0; number < FILES; number += 1) {
  write(`zones/${number}.yaml`, zone(number, 'request.method eq "GET"'));
}

const child = spawn(process.execPath, [join(process.cwd(), 'dist/cli/main.js'), 'lsp', '--stdio'], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const connection = createProtocolConnection(
  new StreamMessageReader(child.stdout),
  new StreamMessageWriter(child.stdin),
);
const uri = (path: string): string => pathToFileURL(join(folder, path)).href;
let onPublished: (params: PublishDiagnosticsParams) => void = () => undefined;
connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) =>
  onPublished(params),
);
connection.onRequest('client/registerCapability', () => null);
connection.listen();

const published = (path: string, version: number): Promise<void> =>
  new Promise((done) => {
    onPublished = (params) => {
      if (params.uri === uri(path) && params.version === version) {
        done();
      }
    };
  });

async function open(path: string, text: string): Promise<number> {
  const start = performance.now();
  const first = published(path, 1);
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri: uri(path), languageId: 'yaml', version: 1, text },
  });
  await first;
  return performance.now() - start;
}

/** Adds and removes a parameter of the pack, which each use lacks; returns how long the findings of all files took. */
async function askAll(firstVersion: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let version = firstVersion; version < firstVersion + KEYSTROKES / 2; version += 1) {
    const waits = new Set(Array.from({ length: FILES }, (_, number) => uri(`zones/${number}.yaml`)));
    const start = performance.now();
    const all = new Promise<void>((done) => {
      onPublished = (params) => {
        waits.delete(params.uri);
        if (waits.size === 0) {
          done();
        }
      };
    });
    const text =
      version % 2 === 0 ? pack().replace('params: {', 'params: { more: { type: string },') : pack();
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: uri('packs/base.yaml'), version },
      contentChanges: [{ text }],
    });
    await all;
    times.push(performance.now() - start);
  }
  return times;
}

/** Types one text after the other into a file. */
async function type(
  path: string,
  textOf: (typed: string) => string,
  typed: readonly string[],
  firstVersion = 2,
): Promise<{ readonly findings: readonly number[]; readonly completions: readonly number[] }> {
  const findings: number[] = [];
  const completions: number[] = [];
  for (const [index, word] of typed.entries()) {
    const version = index + firstVersion;
    const text = textOf(word);
    const lines = text.slice(0, text.indexOf(word) + word.length).split('\n');
    const done = published(path, version);
    const start = performance.now();
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: uri(path), version },
      contentChanges: [{ text }],
    });
    await connection.sendRequest('textDocument/completion', {
      textDocument: { uri: uri(path) },
      position: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 },
    });
    completions.push(performance.now() - start);
    await done;
    findings.push(performance.now() - start);
    await setTimeout(BETWEEN_MS);
  }
  return { findings, completions };
}

const at = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

try {
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'bench' }],
  });
  await connection.sendNotification('initialized', {});
  const first = await open('zones/7.yaml', zone(7, 'request.method eq "GET"'));
  await open('packs/base.yaml', pack());
  const word = 'request.uri.path contains "/a"';
  const words = Array.from({ length: KEYSTROKES }, (_, index) => word.slice(0, (index % word.length) + 1));
  const inZone = await type('zones/7.yaml', (typed) => zone(7, typed), words);
  const inPack = await type(
    'packs/base.yaml',
    (typed) => pack(` and http.${typed}`),
    words.slice(0, KEYSTROKES / 2),
  );
  const inValue = await type(
    'packs/base.yaml',
    (typed) => pack(` and http.user_agent contains "${typed}"`),
    Array.from({ length: KEYSTROKES / 2 }, (_, index) => 'a'.repeat(index + 1)),
    KEYSTROKES / 2 + 2,
  );
  const inAll = await askAll(KEYSTROKES + 2);
  printTable(
    `Keystrokes in a project of ${FILES} files with ${RULES} rules and a pack each; milliseconds. Opening the first file: ${round(first)}`,
    [
      ['zone file: findings of the new text', inZone.findings],
      ['zone file: completion', inZone.completions],
      ['pack that all files use: findings', inPack.findings],
      ['pack that all files use: completion', inPack.completions],
      ['pack that all files use, every text right: findings', inValue.findings],
      ['pack that all files use: findings in all of them', inAll],
    ].map(([what, times]) => ({
      what: String(what),
      p50: round(at(times as readonly number[], 0.5)),
      p95: round(at(times as readonly number[], 0.95)),
      most: round(at(times as readonly number[], 1)),
    })),
  );
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await once(child, 'exit');
  connection.dispose();
} finally {
  rmSync(folder, { recursive: true });
}
