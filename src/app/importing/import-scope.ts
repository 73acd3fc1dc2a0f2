import pLimit from 'p-limit';
import { memoise } from '../../data/index.ts';
import {
  createAccountLists,
  createManagedRulesets,
  keepWholeScope,
  readWholeScope,
} from '../../live/index.ts';
import type { AccountLists, WholeScope, RulesetCache } from '../../live/index.ts';
import type { ReadClient } from '../../api/index.ts';
import type { RulewrightError, ImportedScope, Scope, SensitiveValue } from '../../model/index.ts';
import { knownError, scopeLabel } from '../../model/index.ts';
import type { OnEvent } from '../run/events.ts';
import type { RulesetComments } from '../import/declare-live.ts';
import { declareLists, readAccountLists } from '../import/declare-lists.ts';
import type { ImportedLists } from '../import/declare-lists.ts';
import { declareSettings, readAllSettings } from '../import/declare-settings.ts';
import type { ImportedSettings } from '../import/declare-settings.ts';
import type { UsableDestination } from '../import/destination.ts';
import type { LiveObjects } from '../import/follow-objects.ts';
import { declaresNothing, importedFiles } from '../import/imported-files.ts';
import type { ScopeFiles } from '../import/scope-files.ts';
import { unsavedLoss } from '../import/require-saved.ts';
import type { WantedScope } from '../import/find-scopes.ts';
import { readManagedNames } from '../managed/managed-names.ts';
import type { ManagedNames } from '../managed/managed-names.ts';
import { statedLists } from '../terraform/stated-lists.ts';
import { statedComments } from '../terraform/stated-comments.ts';
import { readStatedLive, statedSettings } from '../terraform/stated-settings.ts';
import { statedWhole } from '../terraform/stated-scope.ts';
import { addressesOf, scopeIn, takenRulesets } from '../terraform/stated-import.ts';
import type { OpenedSource, TakenFromSource } from '../terraform/stated-import.ts';
import { statedOf } from '../terraform/terraform-source.ts';

/** How the files of a scope are made. */
export interface ImportWishes {
  /** Whether unnamed rules get readable refs, which the next apply adopts. */
  readonly nameRules: boolean;
  /** Whether first files of zones also declare settings that are not at their defaults. */
  readonly withSettings: boolean;
  /** Whether undeclared rulesets are also added to the files of scopes that declare something. */
  readonly unmanaged: boolean;
  /** Whether files may lose content that Git does not have. */
  readonly discard: boolean;
  /** Whether the run only reports what it would write; the cache is not written either. */
  readonly dryRun: boolean;
}

/** The result of one scope, with the texts of its files. */
type ImportOutcome = ScopeFiles | Extract<ImportedScope, { readonly kind: 'failed' }>;

/** What all scopes of an import have in common. */
interface ImportSetting {
  readonly destination: UsableDestination;
  readonly request: ImportWishes;
  /** What the import is from; null where that is live. */
  readonly opened: OpenedSource | null;
  readonly sensitive: readonly SensitiveValue[];
  readonly report: OnEvent;
  readonly concurrency: number;
  readonly client: (tokenEnv: string | undefined) => ReadClient;
  readonly cache: (tokenEnv: string | undefined) => RulesetCache;
}

/** Reads what is wanted, and makes the files of each scope; writes none. One that cannot be read fails alone. */
export async function importAll(
  wanted: readonly WantedScope[],
  reading: ImportSetting,
): Promise<readonly MadeScope[]> {
  const { report, concurrency } = reading;
  const limit = pLimit(concurrency);
  const lists = memoise(createAccountLists);
  const managed = createManagedRulesets();
  let done = 0;
  report({ kind: 'scopes', total: wanted.length });
  return limit.map(wanted, async (one) => {
    const made = await importOne(one, { ...reading, lists, managed });
    done += 1;
    report({ kind: 'scope-read', scope: labelOf(one), ok: made.isRead, done, total: wanted.length });
    if (!reading.request.dryRun) {
      await made.keep();
    }
    return made;
  });
}

interface ImportRun extends ImportSetting {
  readonly lists: (client: ReadClient) => AccountLists;
  readonly managed: ReturnType<typeof createManagedRulesets>;
}

/** What an import makes of one scope; `keep` caches what was read for the plan that follows. */
export interface MadeScope {
  readonly isRead: boolean;
  readonly made: ImportOutcome;
  readonly keep: () => Promise<void>;
  /** What became of what a source has for the scope. */
  readonly taken?: TakenFromSource;
}

type FoundWantedScope = Extract<WantedScope, { readonly kind: 'found' }>;

async function importOne(wanted: WantedScope, shared: ImportRun): Promise<MadeScope> {
  if (wanted.kind === 'failed') {
    return unread(wanted, wanted.error, shared);
  }
  const { scope, name, declared } = wanted;
  try {
    const client = shared.client(declared?.tokenEnv);
    const cache = shared.cache(declared?.tokenEnv);
    const live = await readWholeScope(client, scope, shared.lists(client));
    const objects = await readObjects(wanted, { client, cache }, shared);
    const read = {
      live,
      objects,
      client,
      names: (whole: WholeScope) => readManagedNames(client, whole, shared.managed),
    };
    return {
      isRead: true,
      ...(shared.opened === null
        ? { made: await importLive(wanted, read, shared) }
        : await importStated(wanted, read, { ...shared, opened: shared.opened })),
      keep: () => keepWholeScope(cache, live, { kind: scope.kind, name }),
    };
  } catch (error) {
    return unread(wanted, knownError(error), shared);
  }
}

/** Reads the lists of an account, and the settings of a zone: those that its files declare, and others where they are asked for. */
async function readObjects(
  { scope, declared }: FoundWantedScope,
  { client, cache: kept }: { readonly client: ReadClient; readonly cache: RulesetCache },
  { request: { unmanaged, withSettings, dryRun }, opened }: ImportRun,
): Promise<LiveObjects> {
  if (opened !== null && declared !== undefined) {
    return {
      lists: [],
      others: [],
      settings: new Map(),
      hasAllSettings: false,
    };
  }
  const isNew = declared === undefined || declaresNothing(declared);
  const { lists = [], settings = [] } = declared ?? {};
  const cache = dryRun ? { ...kept, keepItems: () => Promise.resolve() } : kept;
  return {
    ...(await readAccountLists(client, scope, {
      cache,
      declared: lists,
      all: unmanaged || isNew,
    })),
    settings:
      scope.kind === 'account'
        ? new Map()
        : await readAllSettings(client, scope, withSettings ? undefined : settings.map(({ name }) => name)),
    hasAllSettings: scope.kind === 'zone' && withSettings,
  };
}

/** What was read of a scope, and how the names of managed rules in it are read. */
interface ReadOfScope {
  readonly live: WholeScope;
  readonly objects: LiveObjects;
  readonly client: ReadClient;
  readonly names: (whole: WholeScope) => Promise<ManagedNames>;
}

async function importLive(
  wanted: FoundWantedScope,
  { live, objects, names }: ReadOfScope,
  shared: ImportRun,
): Promise<ImportOutcome> {
  const { lists, settings, hasAllSettings } = objects;
  const means = {
    names: await names(live),
    lists: declareLists(wanted.declared === undefined ? lists : []),
    objects,
    ...(hasAllSettings
      ? {
          settings: (phases: readonly string[]) => declareSettings(settings, phases),
        }
      : {}),
  };
  return filesOf(wanted, { whole: live, ...means }, shared);
}

/** Writes what the source says of a scope, and tells what live says otherwise. */
async function importStated(
  wanted: FoundWantedScope,
  { live, objects: { lists }, client, names }: ReadOfScope,
  { opened, ...shared }: ImportRun & { readonly opened: OpenedSource },
): Promise<Pick<MadeScope, 'made' | 'taken'>> {
  const { scope, declared } = wanted;
  const { resources } = opened;
  const of = statedOf(resources, scope);
  const stated = statedWhole(live, of.rulesets);
  const above = {
    configuration: opened.configuration,
    secrets: [...shared.sensitive, ...resources.secrets].map(({ value }) => value),
  };
  const account = statedLists(of.lists, lists, { scope, declared, above });
  const settings = statedSettings(of.settings, {
    scope,
    declared,
    live: await readStatedLive(client, scope, of.settings),
    phases: stated.whole.rulesets.flatMap(({ kind, phase }) => (kind === 'custom' ? [] : [phase])),
    above,
  });
  const said = statedComments(stated, above);
  const made = await filesOf(
    wanted,
    {
      whole: stated.whole,
      names: await names(stated.whole),
      lists: declareLists(account.lists),
      settings: () => settings.settings,
      only: new Set(stated.stated.keys()),
      comments: said.comments,
    },
    { ...shared, opened, request: { ...shared.request, unmanaged: true } },
  );
  if (made.kind === 'failed') {
    return { made, taken: notTaken(resources, scope, made.message) };
  }
  const rulesets = takenRulesets(made, live, { stated, destination: shared.destination });
  return {
    made,
    taken: {
      whole: stated.whole,
      resources: new Map([...stated.stated].map(([key, { address }]) => [key, address])),
      imported: [...rulesets.imported, ...account.imported, ...settings.imported],
      left: [...rulesets.left, ...account.left, ...settings.left],
      comments: said.told,
      differences: [...rulesets.differences, ...account.differences, ...settings.differences],
    },
  };
}

function notTaken(
  resources: OpenedSource['resources'],
  scope: Pick<Scope, 'kind' | 'id'>,
  why: string,
): TakenFromSource {
  const left = addressesOf(statedOf(resources, scope)).map((address) => ({ address, why }));
  return { imported: [], left, differences: [] };
}

function unread(wanted: WantedScope, error: RulewrightError, { opened }: ImportRun): MadeScope {
  const scope = wanted.kind === 'found' ? wanted.scope : scopeIn(wanted.label);
  return {
    isRead: false,
    made: failed(labelOf(wanted), error),
    keep: () => Promise.resolve(),
    ...(opened === null || scope === undefined
      ? {}
      : { taken: notTaken(opened.resources, scope, error.message) }),
  };
}

async function filesOf(
  wanted: FoundWantedScope,
  {
    whole,
    ...means
  }: {
    readonly whole: WholeScope;
    readonly names: ManagedNames;
    readonly lists: ImportedLists;
    readonly only?: ReadonlySet<string>;
    readonly objects?: LiveObjects;
    readonly settings?: (phases: readonly string[]) => ImportedSettings;
    readonly comments?: ReadonlyMap<string, RulesetComments>;
  },
  { destination, request, sensitive }: ImportRun,
): Promise<ImportOutcome> {
  try {
    const made = await importedFiles(whole, { destination, ...request, wanted, ...means, sensitive });
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

function failed(scope: string, { message, hint }: RulewrightError): ImportOutcome {
  return { kind: 'failed', scope, message, hint };
}
