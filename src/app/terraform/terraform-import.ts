import type { LeftInTerraform, TerraformAddress } from '../../import/index.ts';
import type { WholeScope } from '../../live/index.ts';
import type { DesiredScope, Scope, TerraformComments } from '../../model/index.ts';
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
import { readConfiguration } from './configuration-files.ts';
import type { Configuration } from './configuration-files.ts';
import type { DeclaredSecret, GuardedResources } from './declare-secrets.ts';
import { declareSecrets, sensitiveValuesOf, withValues } from './declare-secrets.ts';
import type { StatedDifference, StatedWhole } from './stated-scope.ts';
import { statedDifferences } from './stated-scope.ts';
import type { StatedOfScope, TerraformSource } from './terraform-source.ts';
import { readTerraform } from './terraform-source.ts';

/** A state whose secrets are known, and what an import of it writes to. */
export interface OpenedTerraform {
  readonly source: TerraformSource;
  readonly resources: GuardedResources;
  /** The configuration; null where none is named. */
  readonly configuration: Configuration | null;
  /** Declares the secrets as sensitive variables. */
  readonly destination: UsableDestination;
  /** With the secrets of the state, so that answers of the service do not show them either. */
  readonly secrets: ProjectSecrets;
}

/** Reads a state for an import. Throws `import/terraform-state`. */
export async function openTerraform(
  { file, configuration: folder }: { readonly file: string; readonly configuration?: string | undefined },
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
): Promise<OpenedTerraform> {
  const source = await readTerraform(file, cwd);
  const resources = declareSecrets(source.resources, {
    known: secrets.known,
    taken: takenNames(destination),
    environment: env,
  });
  const found: readonly DeclaredSecret[] = resources.secrets;
  return {
    source,
    resources,
    configuration: folder === undefined ? null : await readConfiguration(folder, cwd, 'cloudflare_ruleset'),
    destination:
      found.length === 0
        ? destination
        : withSecrets(destination, { environment: withValues(env, found), variables, secrets: found }),
    secrets: { ...secrets, known: [...secrets.known, ...sensitiveValuesOf(found, env)] },
  };
}

/** Names that variables of the project have; a new one must not be in the way of any. */
export function takenNames({ around }: UsableDestination): readonly string[] {
  return [...around.file.text.matchAll(/^\s*["']?([a-z_]\w*)["']?\s*:/gimu)].map(([, name = '']) => name);
}

/** Returns the scopes that are asked for, of those that a state has. Throws for a name that none of them has. */
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
      `the state has nothing of ${someNames(
        lost.map(({ kind, name }) => `${kind} ${name}`),
        3,
      )}`,
      { code: 'usage/invalid', fault: 'user', hint: 'leave the name out to import all that the state has' },
    );
  }
  return asked.length === 0 ? all : all.filter((one) => asked.some((name) => isMeant(one, name)));
}

/** What became of a state's resources in one scope. */
export interface TakenFromState {
  /** The scope as the state has it, for a file that it may share with others; absent where it has none. */
  readonly whole?: WholeScope;
  readonly imported: readonly TerraformAddress[];
  readonly left: readonly LeftInTerraform[];
  readonly differences: readonly StatedDifference[];
  /** What came of comments of the configuration. */
  readonly comments?: TerraformComments;
}

/** Returns which of a scope's rulesets its files hold, and what a plan of them would change live. */
export function takenRulesets(
  files: ScopeFiles,
  live: WholeScope,
  {
    stated: { stated },
    destination,
  }: { readonly stated: StatedWhole; readonly destination: UsableDestination },
): TakenFromState {
  const imported: TerraformAddress[] = [];
  const left: LeftInTerraform[] = [];
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

/** Returns the addresses of all that a state has for files. */
export function addressesOf({ rulesets, lists, settings }: StatedOfScope): readonly TerraformAddress[] {
  return [
    ...rulesets.map(({ address }) => address),
    ...lists.flatMap((list) => [list.address, ...list.itemAddresses]),
    ...settings.map(({ address }) => address),
  ];
}

/** Returns the scope that a label names by its id; undefined where it names another thing. */
export function idIn(label: string): Pick<Scope, 'kind' | 'id'> | undefined {
  const [, kind, id = ''] = /^(zone|account):([0-9a-f]{32})$/u.exec(label) ?? [];
  return kind === 'zone' || kind === 'account' ? { kind, id } : undefined;
}
