import type { ImportedLists } from './import/declare-lists.ts';
import { declareLists, NO_LISTS, readAccountLists } from './import/declare-lists.ts';
import pLimit from 'p-limit';
import { memoise } from '../data/index.ts';
import {
  createAccountLists,
  createManagedRulesets,
  keepWholeScope,
  readWholeScope,
  NO_CACHE,
} from '../live/index.ts';
import type { AccountLists, WholeScope, RulesetCache } from '../live/index.ts';
import { openReadClient } from '../api/index.ts';
import type { ReadClient } from '../api/index.ts';
import type { RulewrightError, ImportedScope, ImportSummary, SensitiveValue } from '../model/index.ts';
import { knownError, scopeLabel } from '../model/index.ts';
import type { OnEvent } from './run/events.ts';
import { findDestination } from './import/destination.ts';
import type { ImportDestination, ImportPlace } from './import/destination.ts';
import { importedFiles } from './import/imported-files.ts';
import type { ScopeFiles } from './import/scope-files.ts';
import { unsavedLoss } from './import/require-saved.ts';
import { asksForProject, findScopes } from './import/find-scopes.ts';
import type { ScopesRequest, WantedScope } from './import/find-scopes.ts';
import { writeImported, importedTexts, pendingFiles } from './import/write-imported.ts';
import { readManagedNames } from './managed/managed-names.ts';
import type { ManagedNames } from './managed/managed-names.ts';
import { withService } from './service/open-service.ts';
import { mayHoldSecret } from './project/sensitive-in.ts';
import { requireKnown } from './project/require-sensitive.ts';
import type { FileFindings } from './run/results.ts';
import type { ServiceOptions } from './service/service-options.ts';

/** What to import, and where to. */
export interface ImportRequest extends Omit<ImportPlace, 'environment'>, ScopesRequest {
  /** Whether unnamed rules get readable refs, which the next apply adopts. */
  readonly nameRules: boolean;
  /** Whether undeclared rulesets are also added to the files of scopes that declare something. */
  readonly unmanaged: boolean;
  /** Whether files may lose content that Git does not have. */
  readonly discard: boolean;
  /** Whether the run only reports what it would write; the cache is not written either. */
  readonly dryRun: boolean;
}

/** The result of one scope, with the texts of its files. */
type ImportOutcome = ScopeFiles | Extract<ImportedScope, { readonly kind: 'failed' }>;

/** Answer of `import`. */
export type ImportResult =
  | ({ readonly kind: 'invalid' } & FileFindings)
  /** No scope is named, and no project declares one. */
  | { readonly kind: 'nothing-named' }
  | { readonly kind: 'imported'; readonly summary: ImportSummary };

/**
 * Writes the live state into the files of a project, or updates existing files. A scope that cannot be found or read fails alone,
 * and nothing of it is written. Throws for missing credentials.
 */
export async function importScopes(
  request: ImportRequest,
  options: ServiceOptions,
  report: OnEvent,
): Promise<ImportResult> {
  const destination = await findDestination({ ...request, environment: options.env });
  if (destination.kind === 'invalid') {
    return destination;
  }
  if (asksForProject(request) && (destination.kind === 'new' || destination.project.scopes.length === 0)) {
    return { kind: 'nothing-named' };
  }
  if (destination.kind === 'project') {
    requireKnown(options.secrets, 'an import would write it into files');
  }
  return withService({ options, open: openReadClient, report }, async (service): Promise<ImportResult> => {
    const project = destination.kind === 'project' ? destination.project.scopes : [];
    const found = await findScopes(request, project, (tokenEnv) => service.client(tokenEnv));
    const scopes = await readAll(found, {
      destination,
      request,
      sensitive: options.secrets.known,
      report,
      concurrency: options.concurrency,
      client: (tokenEnv) => service.client(tokenEnv),
      cache: (tokenEnv) => (mayHoldSecret(options.secrets) ? NO_CACHE : service.cache(tokenEnv)),
    });
    options.signal?.throwIfAborted();
    const texts = await importedTexts(
      destination,
      scopes.flatMap((one) => (one.kind === 'failed' ? [] : [one])),
    );
    const pending = request.dryRun ? await pendingFiles(destination.root, texts) : null;
    if (pending === null) {
      await writeImported(destination, texts);
    }
    return {
      kind: 'imported',
      summary: {
        scopes: scopes.map(summarise),
        written: pending === null ? texts.map(({ path }) => path) : [],
        pending,
        requests: service.requests(),
      },
    };
  });
}

interface ImportSetting {
  readonly destination: Exclude<ImportDestination, { readonly kind: 'invalid' }>;
  readonly request: ImportRequest;
  readonly sensitive: readonly SensitiveValue[];
  readonly report: OnEvent;
  readonly concurrency: number;
  readonly client: (tokenEnv: string | undefined) => ReadClient;
  readonly cache: (tokenEnv: string | undefined) => RulesetCache;
}

async function readAll(
  wanted: readonly WantedScope[],
  reading: ImportSetting,
): Promise<readonly ImportOutcome[]> {
  const { report, concurrency } = reading;
  const limit = pLimit(concurrency);
  const lists = memoise(createAccountLists);
  const managed = createManagedRulesets();
  let done = 0;
  report({ kind: 'scopes', total: wanted.length });
  return limit.map(wanted, async (one) => {
    const { isRead, made, keep } = await importOne(one, { ...reading, lists, managed });
    done += 1;
    report({ kind: 'scope-read', scope: labelOf(one), ok: isRead, done, total: wanted.length });
    if (!reading.request.dryRun) {
      await keep();
    }
    return made;
  });
}

interface ImportRun extends ImportSetting {
  readonly lists: (client: ReadClient) => AccountLists;
  readonly managed: ReturnType<typeof createManagedRulesets>;
}

/** The result of one scope; `keep` caches what was read for the plan that follows. */
interface Made {
  readonly isRead: boolean;
  readonly made: ImportOutcome;
  readonly keep: () => Promise<void>;
}

type FoundWantedScope = Extract<WantedScope, { readonly kind: 'found' }>;

async function importOne(wanted: WantedScope, shared: ImportRun): Promise<Made> {
  if (wanted.kind === 'failed') {
    return unread(wanted.label, wanted.error);
  }
  const { scope, name, declared } = wanted;
  try {
    const client = shared.client(declared?.tokenEnv);
    const whole = await readWholeScope(client, scope, shared.lists(client));
    const names = await readManagedNames(client, whole, shared.managed);
    const cache = shared.cache(declared?.tokenEnv);
    const isNew = declared === undefined;
    const lists = isNew ? declareLists(await readAccountLists(client, scope, cache)) : NO_LISTS;
    return {
      isRead: true,
      made: await filesOf(wanted, { whole, names, lists }, shared),
      keep: () => keepWholeScope(cache, whole, { kind: scope.kind, name }),
    };
  } catch (error) {
    return unread(labelOf(wanted), knownError(error));
  }
}

function unread(label: string, error: RulewrightError): Made {
  return { isRead: false, made: failed(label, error), keep: () => Promise.resolve() };
}

async function filesOf(
  wanted: FoundWantedScope,
  {
    whole,
    names,
    lists,
  }: { readonly whole: WholeScope; readonly names: ManagedNames; readonly lists: ImportedLists },
  { destination, request, sensitive }: ImportRun,
): Promise<ImportOutcome> {
  try {
    const made = await importedFiles(whole, { destination, ...request, wanted, names, lists, sensitive });
    const loss = request.discard ? null : await unsavedLoss(destination.root, made.replaced);
    if (loss === null) {
      return made;
    }
    const { message, hint } = loss;
    return request.dryRun ? { ...made, refusal: { message, hint } } : failed(labelOf(wanted), loss);
  } catch (error) {
    return failed(labelOf(wanted), knownError(error));
  }
}

function labelOf(wanted: WantedScope): string {
  return wanted.kind === 'failed' ? wanted.label : scopeLabel(wanted.scope);
}

function summarise(one: ImportOutcome): ImportedScope {
  if (one.kind === 'failed') {
    return one;
  }
  const { texts, label, accountId: _accountId, replaced: _replaced, ...rest } = one;
  return { ...rest, scope: label, files: [...texts.keys()] };
}

function failed(scope: string, { message, hint }: RulewrightError): ImportOutcome {
  return { kind: 'failed', scope, message, hint };
}
