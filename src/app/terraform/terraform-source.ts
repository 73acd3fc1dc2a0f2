import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { groupBy, memoiseWeakly } from '../../data/index.ts';
import { readText, unreadText } from '../../files/index.ts';
import type {
  StatedList,
  StatedResources,
  StatedRuleset,
  StatedSettings,
  TerraformState,
} from '../../import/index.ts';
import { readResources, readState } from '../../import/index.ts';
import type { Scope } from '../../model/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type { ScopesRequest } from '../import/find-scopes.ts';

/** A state of Terraform or OpenTofu, and what it has for files. */
export interface TerraformSource {
  readonly kind: 'terraform';
  /** As it was named. */
  readonly file: string;
  readonly state: TerraformState;
  readonly resources: StatedResources;
}

/** Reads the file that an import is to take resources from. Throws `import/terraform-state`. */
export async function readTerraform(file: string, cwd: string): Promise<TerraformSource> {
  const read = await readText(resolve(cwd, file), file);
  const isSavedPlan = read.kind === 'unread' && (await isArchive(resolve(cwd, file)));
  if (read.kind === 'unread' && !isSavedPlan) {
    throw new RulewrightError(`${file} ${unreadText(read)}`, {
      code: 'import/terraform-state',
      fault: 'user',
      cause: read.cause,
    });
  }
  const state = readState(read.kind === 'unread' ? ARCHIVE : read.text);
  if (state.kind === 'refused') {
    throw new RulewrightError(`${file} ${state.message}`, {
      code: 'import/terraform-state',
      fault: 'user',
      hint: state.hint,
    });
  }
  return { kind: 'terraform', file, state, resources: readResources(state) };
}

/** How an archive begins: a saved plan is one. */
const ARCHIVE = 'PK';

async function isArchive(path: string): Promise<boolean> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  return bytes.toString('latin1', 0, ARCHIVE.length) === ARCHIVE;
}

/** Returns the request for the scopes that a source has something for, by their ids, or by their names where it has no ids. */
export function scopesOf({ rulesets, lists, settings }: StatedResources): ScopesRequest {
  const of = (kind: Scope['kind']): readonly string[] =>
    rulesets.flatMap(({ scope }) => (scope.kind === kind ? [scope.id] : []));
  return {
    zones: [...new Set([...of('zone'), ...settings.map(({ zoneId }) => zoneId)])],
    accounts: [...new Set([...of('account'), ...lists.map(({ accountId }) => accountId)])],
    allZones: false,
  };
}

/** What a state has for one scope. */
export interface StatedOfScope {
  readonly rulesets: readonly StatedRuleset[];
  readonly lists: readonly StatedList[];
  readonly settings: readonly StatedSettings[];
}

/** Returns what a state has for a scope. */
export function statedOf(
  resources: StatedResources,
  { kind, id }: Pick<Scope, 'kind' | 'id'>,
): StatedOfScope {
  const { rulesets, lists, settings } = byScope(resources);
  return {
    rulesets: rulesets.get(`${kind}:${id}`) ?? [],
    lists: kind === 'account' ? (lists.get(id) ?? []) : [],
    settings: kind === 'zone' ? (settings.get(id) ?? []) : [],
  };
}

const byScope = memoiseWeakly(({ rulesets, lists, settings }: StatedResources) => ({
  rulesets: groupBy(rulesets, ({ scope }) => `${scope.kind}:${scope.id}`),
  lists: groupBy(lists, ({ accountId }) => accountId),
  settings: groupBy(settings, ({ zoneId }) => zoneId),
}));
