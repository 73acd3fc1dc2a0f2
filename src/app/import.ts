import { resolve } from 'node:path';
import { NO_CACHE } from '../live/index.ts';
import { accountOfZone, openReadClient } from '../api/index.ts';
import type { ReadClient } from '../api/index.ts';
import type { ImportedScope, ImportSummary, Plan } from '../model/index.ts';
import type { OnEvent } from './run/events.ts';
import { findDestination } from './import/destination.ts';
import type { ImportPlace, UsableDestination } from './import/destination.ts';
import { asksForProject, findScopes } from './import/find-scopes.ts';
import type { ScopesRequest, WantedScope } from './import/find-scopes.ts';
import { writeImported, importedTexts, pendingFiles } from './import/write-imported.ts';
import { importAll } from './importing/import-scope.ts';
import type { ImportWishes, MadeScope } from './importing/import-scope.ts';
import { planOver } from './plan-project.ts';
import type { PlanSelection } from './project/selection.ts';
import { withService } from './service/open-service.ts';
import type { Service } from './service/open-service.ts';
import { isIncomplete } from '../report/index.ts';
import { havingScopes } from './service/service-options.ts';
import { snapshotOf } from './service/snapshot.ts';
import { mayHoldSecret } from './project/sensitive-in.ts';
import { requireKnown } from './project/require-sensitive.ts';
import type { FileFindings } from './run/results.ts';
import type { ServiceOptions } from './service/service-options.ts';
import { freshZones, sharedFiles, withShared } from './terraform/shared-files.ts';
import { askedOfSource } from './terraform/asked-of-source.ts';
import { chosenScopes, findSourceScopes, openSource } from './terraform/stated-import.ts';
import type { OpenedSource, SourceChoice } from './terraform/stated-import.ts';
import { sourceReport } from './terraform/source-report.ts';

/** What to import, and where to. */
export interface ImportRequest extends Omit<ImportPlace, 'environment'>, ScopesRequest, ImportWishes {
  /** What another tool holds, which says what to import; live says it without. */
  readonly source?: SourceChoice | undefined;
  /** The drift that a person was shown: what is compared with it is imported, and nothing if it is another one. */
  readonly shown?: { readonly digest: string; readonly selection: PlanSelection } | undefined;
}

/** Answer of `import`. */
export type ImportResult =
  | ({ readonly kind: 'invalid' } & FileFindings)
  /** No scope is named, and no project declares one. */
  | { readonly kind: 'nothing-named' }
  /** The drift is not the one that was shown, or not all of it could be read; nothing was written. */
  | { readonly kind: 'other-drift'; readonly plan: Plan }
  | {
      readonly kind: 'imported';
      readonly summary: ImportSummary;
      /** The path of the project file. */
      readonly projectFile: string;
    };

/**
 * Writes the live state into the files of a project, or updates existing files. A scope that cannot be found or read fails alone,
 * and nothing of it is written. Throws for missing credentials.
 */
export async function importScopes(
  request: ImportRequest,
  options: ServiceOptions,
  report: OnEvent,
): Promise<ImportResult> {
  const found = await findDestination({ ...request, environment: options.env });
  if (found.kind === 'invalid') {
    return found;
  }
  const isEmpty = found.kind === 'new' || found.project.scopes.length === 0;
  if (request.source === undefined && asksForProject(request) && isEmpty) {
    return { kind: 'nothing-named' };
  }
  if (found.kind === 'project') {
    requireKnown(options.secrets, 'an import would write it into files');
  }
  const { cwd, variables, source } = request;
  const opened =
    source === undefined ? null : await openSource(source, { cwd, destination: found, variables, options });
  const destination = opened?.destination ?? found;
  return importInto(destination, { request, opened, report, options });
}

interface Importing {
  readonly request: ImportRequest;
  readonly opened: OpenedSource | null;
  readonly report: OnEvent;
  readonly options: ServiceOptions;
}

/** Reads what is asked for, and writes its files: of a drift that was shown, only if it is still the same. */
async function importInto(
  destination: UsableDestination,
  { options: given, ...importing }: Importing,
): Promise<ImportResult> {
  const { request, opened, report } = importing;
  const options = { ...given, secrets: opened?.secrets ?? given.secrets };
  const from = (service: Service<ReadClient>): Promise<ImportResult> =>
    importFrom(service, destination, { ...importing, options });
  const { shown } = request;
  if (shown === undefined) {
    return withService({ options, open: openReadClient, report }, from);
  }
  const having = havingScopes(options, destination.kind === 'project' ? destination.project.scopes : []);
  return withService({ options: having, open: openReadClient, report }, async (service) => {
    const { first, second } = snapshotOf(service);
    const seen = await planOver(shown.selection, options, { report, opened: first });
    options.signal?.throwIfAborted();
    if (seen.kind === 'invalid') {
      return seen;
    }
    const { plan } = seen;
    return plan.digest === shown.digest && !isIncomplete(plan) ? from(second) : { kind: 'other-drift', plan };
  });
}

/** Reads what is asked for from a service, and writes its files. */
async function importFrom(
  service: Service<ReadClient>,
  given: UsableDestination,
  { request, opened: source, report, options }: Importing,
): Promise<ImportResult> {
  const project = given.kind === 'project' ? given.project.scopes : [];
  const find = (asked: ScopesRequest): ReturnType<typeof findScopes> =>
    findScopes(asked, project, (tokenEnv) => service.client(tokenEnv));
  const { wanted, opened } = await scopesToRead(source, request, {
    find,
    accountOf: ({ id }) => accountOfZone(service.client(undefined), id),
  });
  const destination = opened?.destination ?? given;
  const all = await importAll(wanted, {
    destination,
    request,
    opened,
    sensitive: options.secrets.known,
    report,
    concurrency: options.concurrency,
    client: (tokenEnv) => service.client(tokenEnv),
    cache: (tokenEnv) => (mayHoldSecret(options.secrets) ? NO_CACHE : service.cache(tokenEnv)),
  });
  options.signal?.throwIfAborted();
  const shared =
    opened === null
      ? { destination, files: [], packs: [] }
      : sharedFiles(freshZones(all), {
          destination,
          alike: request.source?.fold === true,
          configuration: opened.configuration,
          secrets: options.secrets.known.map(({ value }) => value),
        });
  const scopes = all.map(({ made }) => (made.kind === 'failed' ? made : withShared(made, shared)));
  const made = await importedTexts(
    shared.destination,
    scopes.flatMap((one) => (one.kind === 'failed' ? [] : [one])),
  );
  const ended =
    opened === null
      ? null
      : await sourceReport(opened, {
          taken: all.flatMap(({ taken }) => (taken === undefined ? [] : [taken])),
          shared,
          existing: destination.kind === 'project' ? destination.texts.values() : [],
          root: destination.root,
          extension: options.extension,
        });
  const texts = [...made, ...(ended === null || ended.removed === null ? [] : [ended.removed])];
  const pending = request.dryRun ? await pendingFiles(destination.root, texts) : null;
  if (pending === null) {
    await writeImported(destination, texts);
  }
  return {
    kind: 'imported',
    projectFile: resolve(destination.root, destination.around.file.path),
    summary: {
      scopes: scopes.map(summarise),
      written: pending === null ? texts.map(({ path }) => path) : [],
      pending,
      requests: service.requests(),
      ...ended?.reports,
    },
  };
}

/** Returns the scopes to read, and the source with what is known of them. */
async function scopesToRead(
  source: OpenedSource | null,
  request: ImportRequest,
  lookup: Parameters<typeof findSourceScopes>[1],
): Promise<{ readonly wanted: readonly WantedScope[]; readonly opened: OpenedSource | null }> {
  if (source === null) {
    return { wanted: await lookup.find(request), opened: null };
  }
  const { wanted, resources } = await findSourceScopes(source, lookup);
  const chosen = chosenScopes(wanted, request);
  const opened = { ...source, resources };
  return { wanted: chosen, opened: chosen === wanted ? opened : askedOfSource(opened, chosen) };
}

function summarise(one: MadeScope['made']): ImportedScope {
  if (one.kind === 'failed') {
    return one;
  }
  const {
    texts,
    packs = new Map(),
    label,
    accountId: _accountId,
    replaced: _replaced,
    name: _name,
    declared: _declared,
    first: _first,
    ...rest
  } = one;
  return { ...rest, scope: label, files: [...texts.keys(), ...packs.keys()] };
}
