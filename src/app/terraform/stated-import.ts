import type { LeftInSource, StatedAddress } from '../../import/index.ts';
import { IMPORTED_TYPES } from '../../import/index.ts';
import type { WholeScope } from '../../live/index.ts';
import type { DesiredScope, Scope, SourceComments } from '../../model/index.ts';
import { addressKey, RulewrightError, scopeLabel } from '../../model/index.ts';
import { loadTexts, sourceText } from '../../config/index.ts';
import { someNames } from '../../text/index.ts';
import type { UsableDestination } from '../import/destination.ts';
import { withSecrets } from '../import/destination.ts';
import type { ScopesRequest, WantedScope } from '../import/find-scopes.ts';
import { rulesetsText } from '../import/scope-file-text.ts';
import type { ScopeFiles } from '../import/scope-files.ts';
import type { ProjectSecrets } from '../project/project-secrets.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import type { OctorulesSource } from '../octorules/read-octorules.ts';
import { readOctorules } from '../octorules/read-octorules.ts';
import { readConfiguration } from './configuration-files.ts';
import type { Configuration } from './configuration-files.ts';
import type { DeclaredSecret, GuardedResources } from './declare-secrets.ts';
import { declareSecrets, sensitiveValuesOf, withValues } from './declare-secrets.ts';
import type { StatedDifference, StatedWhole } from './stated-scope.ts';
import { statedDifferences } from './stated-scope.ts';
import type { StatedOfScope, TerraformSource } from './terraform-source.ts';
import { readTerraform, scopesOf } from './terraform-source.ts';

/** What another tool holds, once its secrets are known, and what an import of it writes to. */
export interface OpenedSource {
  readonly source: TerraformSource | OctorulesSource;
  readonly resources: GuardedResources;
  /** The configuration; null where none is named. */
  readonly configuration: Configuration | null;
  /** Declares the secrets as sensitive variables. */
  readonly destination: UsableDestination;
  /** Returns a destination that declares only these secrets. */
  readonly declare: (secrets: readonly DeclaredSecret[]) => UsableDestination;
  /** The addresses of what is of scopes that were not asked for. */
  readonly notAsked: readonly string[];
  /** With the secrets of the source, so that answers of the service do not show them either. */
  readonly secrets: ProjectSecrets;
}

/** Where an import takes resources from, instead of from live, and how their files are written. */
export interface SourceChoice {
  readonly kind: 'terraform' | 'octorules';
  /** A state of Terraform or OpenTofu, or the configuration of octorules. */
  readonly file: string;
  /** Whether zones that are alike share a file. */
  readonly fold: boolean;
  /** The folder with Terraform's configuration, whose comments files get; none unless given. */
  readonly configuration?: string | undefined;
}

/** Reads what another tool holds for an import. Throws `import/terraform-state`, `import/terraform-configuration` and `import/octorules`. */
export async function openSource(
  { kind, file, configuration: folder }: SourceChoice,
  {
    cwd,
    destination,
    variables,
    options: { env, secrets },
  }: Pick<Parameters<typeof withSecrets>[1], 'variables'> & {
    readonly cwd: string;
    readonly destination: UsableDestination;
    readonly options: Pick<ServiceOptions, 'env' | 'secrets'>;
  },
): Promise<OpenedSource> {
  const source = kind === 'terraform' ? await readTerraform(file, cwd) : await readOctorules(file, cwd);
  const resources = declareSecrets(source.resources, {
    known: secrets.known,
    taken: takenNames(destination),
    environment: env,
  });
  const declare = (found: readonly DeclaredSecret[]): UsableDestination =>
    found.length === 0
      ? destination
      : withSecrets(destination, { environment: withValues(env, found), variables, secrets: found });
  return {
    source,
    resources,
    configuration: folder === undefined ? null : await readConfiguration(folder, cwd, IMPORTED_TYPES),
    destination: declare(resources.secrets),
    declare,
    notAsked: [],
    secrets: { ...secrets, known: [...secrets.known, ...sensitiveValuesOf(resources.secrets, env)] },
  };
}

/** Names that variables of the project have; a new one must not be in the way of any. */
export function takenNames({ around }: UsableDestination): readonly string[] {
  return [...around.file.text.matchAll(/^\s*["']?([a-z_]\w*)["']?\s*:/gimu)].map(([, name = '']) => name);
}

/** Scopes that a source has something for, and its resources with the ids of those. */
interface SourceScopes {
  readonly wanted: readonly WantedScope[];
  readonly resources: GuardedResources;
}

/** What a source asks of the service. */
interface ScopeLookup {
  readonly find: (request: ScopesRequest) => Promise<readonly WantedScope[]>;
  /** The account of a zone, which whoever may read the zone may know. */
  readonly accountOf: (zone: Scope) => Promise<Scope>;
}

/** Looks up the scopes that a source has something for. */
export async function findSourceScopes(
  { source, resources }: OpenedSource,
  { find, accountOf }: ScopeLookup,
): Promise<SourceScopes> {
  if (source.kind === 'terraform') {
    return {
      wanted: await withAccountNames(await find(scopesOf(resources)), { find, accountOf }),
      resources,
    };
  }
  const { zones } = scopesOf(resources);
  const found = zones.length === 0 ? [] : await find({ zones, accounts: [], allZones: false });
  const owned = new Map(
    found.flatMap((one) => (one.kind === 'found' ? [[one.scope.accountId, one.scope] as const] : [])),
  );
  // As octorules does: the accounts of its zones, each with the file that is called after it.
  const owners = source.accounts.length === 0 ? [] : await Promise.all([...owned.values()].map(accountOf));
  const named = owners.filter(({ name }) => source.accounts.includes(fileOfAccount(name)));
  const accounts = (
    named.length === 0
      ? []
      : await find({ zones: [], accounts: named.map(({ name }) => name), allZones: false })
  ).map((one): WantedScope => {
    const owner = named.find(({ name }) => one.kind === 'failed' && one.label === `account:${name}`);
    return owner === undefined ? one : { kind: 'found', scope: owner, name: owner.name };
  });
  const ids = new Map(
    [...found, ...accounts].flatMap((one): readonly (readonly [string, string])[] =>
      one.kind === 'found' ? [[nameInSource(one.scope), one.scope.id]] : [],
    ),
  );
  return { wanted: [...accounts, ...found], resources: withIds(resources, ids) };
}

/**
 * Calls accounts that a source has by their ids after their names, as far as one of their zones tells the name and the account is found by it: a plan
 * of the files looks it up in the same way.
 */
async function withAccountNames(
  all: readonly WantedScope[],
  { find, accountOf }: ScopeLookup,
): Promise<readonly WantedScope[]> {
  const scopes = all.flatMap((one) =>
    one.kind === 'found' && one.declared === undefined ? [one.scope] : [],
  );
  const zones = new Map(
    all.flatMap((one) => (one.kind === 'found' ? [[one.scope.accountId, one.scope] as const] : [])),
  );
  const told = await Promise.allSettled(
    scopes.flatMap(({ kind, id }) => {
      const zone = kind === 'account' ? zones.get(id) : undefined;
      return zone === undefined || zone.kind === 'account' ? [] : [accountOf(zone)];
    }),
  );
  const accounts = told.flatMap((one) => (one.status === 'fulfilled' ? [one.value.name] : []));
  const found = accounts.length === 0 ? [] : await find({ zones: [], accounts, allZones: false });
  const named = new Map(found.flatMap((one) => (one.kind === 'found' ? [[one.scope.id, one] as const] : [])));
  return all.map((one) => (one.kind === 'found' ? (named.get(one.scope.id) ?? one) : one));
}

function nameInSource({ kind, name }: Scope): string {
  return kind === 'zone' ? `zone/${name}` : `account/${fileOfAccount(name)}`;
}

/** How octorules calls the file of an account (`slugify` in its `config.py`). */
function fileOfAccount(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');
}

/** Puts ids in the place of names that are found; what belongs to an account that is not found is left out with the reason. */
function withIds(resources: GuardedResources, ids: ReadonlyMap<string, string>): GuardedResources {
  const idOf = (kind: Scope['kind'], name: string): string => ids.get(`${kind}/${name}`) ?? name;
  const isLost = (kind: Scope['kind'], name: string): boolean =>
    kind === 'account' && !ids.has(`account/${name}`);
  const lost = [
    ...resources.rulesets.filter(({ scope }) => isLost(scope.kind, scope.id)),
    ...resources.lists.filter(({ accountId }) => isLost('account', accountId)),
  ];
  return {
    ...resources,
    rulesets: resources.rulesets.flatMap((one) =>
      isLost(one.scope.kind, one.scope.id)
        ? []
        : [{ ...one, scope: { ...one.scope, id: idOf(one.scope.kind, one.scope.id) } }],
    ),
    lists: resources.lists.flatMap((one) =>
      isLost('account', one.accountId) ? [] : [{ ...one, accountId: idOf('account', one.accountId) }],
    ),
    settings: resources.settings.map((one) => ({ ...one, zoneId: idOf('zone', one.zoneId) })),
    left: [
      ...resources.left,
      ...lost.map(({ address }) => ({
        address,
        why: 'octorules reads the file for no zone of its configuration, and no account of these zones has this name',
      })),
    ],
  };
}

/** Returns the scopes that are asked for, of those that a source has. Throws for a name that none of them has. */
export function chosenScopes(
  all: readonly WantedScope[],
  { zones, accounts }: Pick<ScopesRequest, 'zones' | 'accounts'>,
): readonly WantedScope[] {
  const asked = [
    ...zones.map((name) => ({ kind: 'zone', name })),
    ...accounts.map((name) => ({ kind: 'account', name })),
  ];
  const isMeant = (one: WantedScope, { kind, name }: (typeof asked)[number]): boolean =>
    one.kind === 'failed'
      ? one.label === `${kind}:${name}`
      : one.scope.kind === kind && [one.scope.id, one.scope.name, one.name].includes(name);
  const lost = asked.filter((name) => !all.some((one) => isMeant(one, name)));
  if (lost.length > 0) {
    throw new RulewrightError(
      `there is nothing of ${someNames(
        lost.map(({ kind, name }) => `${kind} ${name}`),
        3,
      )}`,
      { code: 'usage/invalid', fault: 'user', hint: 'leave the name out to import all that there is' },
    );
  }
  return asked.length === 0 ? all : all.filter((one) => asked.some((name) => isMeant(one, name)));
}

/** What became of a source's resources in one scope. */
export interface TakenFromSource {
  /** The scope as the source has it, for a file that it may share with others; absent where it has none. */
  readonly whole?: WholeScope;
  /** The resources of its rulesets, by `addressKey`. */
  readonly resources?: ReadonlyMap<string, StatedAddress>;
  readonly imported: readonly StatedAddress[];
  readonly left: readonly LeftInSource[];
  readonly differences: readonly StatedDifference[];
  /** What came of comments of the configuration. */
  readonly comments?: SourceComments;
}

/** Returns which of a scope's rulesets its files hold, and what a plan of them would change live. */
export function takenRulesets(
  files: ScopeFiles,
  live: WholeScope,
  {
    stated: { stated },
    destination,
  }: { readonly stated: StatedWhole; readonly destination: UsableDestination },
): TakenFromSource {
  const imported: StatedAddress[] = [];
  const left: LeftInSource[] = [];
  const label = scopeLabel(live.scope);
  for (const [key, { address }] of stated) {
    const why = whyLeft(key, files);
    if (why === undefined) {
      imported.push(address);
    } else {
      left.push({ address, why });
    }
  }
  const ours = files.declared.filter((one) => stated.has(addressKey(one.address)));
  const { scopes } = loadTexts(
    [sourceText('', rulesetsText(live.scope, files.name, ours))],
    destination.settings,
    { ...destination.around, packs: [] },
  );
  const [desired]: readonly DesiredScope[] = scopes;
  const differences =
    desired === undefined || ours.length === 0
      ? []
      : statedDifferences(desired, live, { stated, scope: label });
  return { imported, left, differences };
}

/** Returns why no file holds all of a ruleset; undefined if one does. */
function whyLeft(key: string, { declared, leftOut, kept }: ScopeFiles): string | undefined {
  const out = leftOut.find(
    ({ kind, phase, name }) => key === (kind === 'custom' ? `${phase}/${name}` : phase),
  );
  const stays = kept.find((reason) => reason.startsWith(`${key}: `));
  const one = declared.find(({ address }) => addressKey(address) === key);
  const [odd] = one?.unfit ?? [];
  return (
    out?.reason ??
    stays?.slice(key.length + 2) ??
    (odd === undefined ? undefined : `rule ${odd.rule} is left to others: ${odd.why}`) ??
    (one === undefined ? 'no file declares it' : undefined)
  );
}

/** Returns the addresses of all that a source has for files. */
export function addressesOf({ rulesets, lists, settings }: StatedOfScope): readonly StatedAddress[] {
  return [
    ...rulesets.map(({ address }) => address),
    ...lists.flatMap((list) => [list.address, ...list.itemAddresses]),
    ...settings.map(({ address }) => address),
  ];
}

/** Returns the scope that a label names, by what stands in it: an id, or the name that a source goes by. */
export function scopeIn(label: string): Pick<Scope, 'kind' | 'id'> | undefined {
  const [, kind, id = ''] = /^(zone|account):(.+)$/u.exec(label) ?? [];
  return kind === 'zone' || kind === 'account' ? { kind, id } : undefined;
}

/** Returns the names of the zones that were read, by their ids. */
export function zoneNamesOf(taken: readonly TakenFromSource[]): ReadonlyMap<string, string> {
  return new Map(
    taken.flatMap(({ whole }) => (whole === undefined ? [] : [[whole.scope.id, whole.scope.name] as const])),
  );
}
