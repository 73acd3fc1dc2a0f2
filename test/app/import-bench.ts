import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importScopes } from '../../src/app/import.ts';
import type { ImportRequest } from '../../src/app/import.ts';
import { plan } from '../../src/app/plan-project.ts';
import { NO_SECRETS } from '../../src/app/project/project-secrets.ts';
import { runTime } from '../../src/app/run/time.ts';
import { runBudget } from '../../src/app/service/run-budget.ts';
import type { ServiceOptions } from '../../src/app/service/service-options.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/index.ts';
import type { ImportSummary } from '../../src/model/result-documents.ts';
import type { Plan } from '../../src/model/plan.ts';
import { caller } from '../emulator/bench.ts';
import type { Bench } from '../emulator/bench.ts';

/** The embedded service over HTTP, a project folder, and the commands that a user runs on both. */
export interface ImportBench extends Pick<Bench, 'call' | 'ok'> {
  readonly emulator: Emulator;
  readonly folder: string;
  readonly options: ServiceOptions;
  /** Imports into the folder; throws if the project has errors. */
  import(request: Partial<ImportRequest>): Promise<ImportSummary>;
  /** The plan of the project in the folder; throws if the project has errors. */
  plan(): Promise<Plan>;
  /** All files of the folder except the schemas, by path. */
  files(): Readonly<Record<string, string>>;
  /** Restores the seed and empties the folder. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openImportBench(options: EmulatorOptions = {}): Promise<ImportBench> {
  const emulator = await startEmulator({ budget: 'off', ...options });
  const folder = mkdtempSync(join(tmpdir(), 'rulewright-import-'));
  const service: ServiceOptions = {
    service: {
      kind: 'service',
      baseUrl: emulator.baseUrl,
      credentials: { kind: 'token', token: emulator.token },
    },
    env: {},
    secrets: NO_SECRETS,
    concurrency: 4,
    ...runTime(),
    budget: runBudget({ share: Infinity }),
  };
  return {
    emulator,
    folder,
    options: service,
    ...caller(emulator.token, (path, init) => fetch(emulator.baseUrl + path, init)),
    async import(request) {
      const wanted = {
        cwd: folder,
        zones: [],
        accounts: [],
        allZones: false,
        nameRules: false,
        withSettings: false,
        unmanaged: false,
        // The folder is not a Git repository, so without this an import that removes anything would refuse.
        discard: true,
        dryRun: false,
        ...request,
      };
      const result = await importScopes(wanted, service, () => undefined);
      if (result.kind !== 'imported') {
        throw new Error(JSON.stringify(result));
      }
      return result.summary;
    },
    async plan() {
      const result = await plan({ cwd: folder, paths: [], targets: [] }, service, () => undefined);
      if (result.kind === 'invalid') {
        throw new Error(JSON.stringify(result.diagnostics));
      }
      return result.plan;
    },
    files: () => readFiles(folder),
    async reset() {
      await fetch(`${emulator.controlUrl}/reset`, { method: 'POST' });
      for (const name of readdirSync(folder)) {
        rmSync(join(folder, name), { recursive: true });
      }
    },
    async close() {
      await emulator.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function readFiles(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('.rulewright'))
    .sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

/** One line for each step or failed scope of a plan; empty for an empty plan. */
export function stepsOf({ scopes }: Plan): readonly string[] {
  return scopes.flatMap((scope) =>
    scope.kind === 'failed'
      ? [scope.error.message]
      : scope.steps.map(({ id, operation }) => `${operation} ${id}`),
  );
}
