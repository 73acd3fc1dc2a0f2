import type { ReadClient } from '../api/index.ts';
import { listRulesets, isForbidden, orElse } from '../api/index.ts';
import type {
  LiveRulesetHead,
  RulesetAddress,
  LiveRuleset,
  Scope,
  DesiredScope,
  LiveEntry,
  UnseenRuleset,
  RulewrightError,
} from '../model/index.ts';
import { scopeLabel, addressKey, addressOfRuleset, phasesOfKind } from '../model/index.ts';
import { assertNever } from '../data/index.ts';
import type { AccountLists } from './read-live-lists.ts';
import type { CustomRulesets } from './custom-rulesets.ts';
import { ambiguous, customRuleset, customRulesetsFor, ownerHint, unknownOwner } from './custom-rulesets.ts';
import type { EntriesReading, EntryReading, SettledReads } from './read-ruleset.ts';
import { absentAt, presentAt, settleAll, entrypointsIn, readKept, readUnlisted } from './read-ruleset.ts';
import type { RulesetCache } from './ruleset-cache.ts';

/** The result of reading rulesets that no file declares. */
interface UndeclaredReading {
  readonly values: readonly EntryReading[];
  readonly unseen: readonly UnseenRuleset[];
  /** What the files leave alone. */
  readonly left: readonly RulesetAddress[];
  readonly errors: readonly RulewrightError[];
}

const NOTHING: UndeclaredReading = { values: [], unseen: [], left: [], errors: [] };

/** A scope's list, the ownership of its custom rulesets, and the function that reads a ruleset. */
interface ListedScope {
  readonly listed: readonly LiveRulesetHead[];
  readonly customs: CustomRulesets;
  readonly read: (address: RulesetAddress) => Promise<EntryReading>;
}

/**
 * Reads the rulesets that no file declares, as far as `rulesetOwnership` concerns them. For rulesets to be deleted, every doubt is an
 * error. Rulesets that are only shown may stay unread: they are named as unseen, and everything else is still shown.
 */
function readUndeclared(
  scope: Scope,
  desired: DesiredScope,
  { listed, customs, read }: ListedScope,
): Promise<UndeclaredReading> {
  const declared = new Set(desired.rulesets.map(({ address }) => addressKey(address)));
  const undeclared = (heads: readonly LiveRulesetHead[]): readonly LiveRulesetHead[] =>
    heads.filter((head) => !declared.has(addressKey(addressOfRuleset(head))));
  // Custom rulesets of which it is not known whether they are the zone's are not told as its own.
  const known = [...entrypointsIn(scope, listed), ...(customs.kind === 'own' ? customs.heads : [])];
  switch (desired.rulesetOwnership) {
    case 'declared':
    case 'listed':
      return Promise.resolve({ ...NOTHING, left: addressesOf(undeclared(known)) });
    case 'all':
      return readToDelete(scope, customs, {
        heads: undeclared(customs.heads),
        left: addressesOf(undeclared(entrypointsIn(scope, listed))),
        read,
      });
    case 'everything': {
      const heads = undeclared([...entrypointsIn(scope, listed), ...customs.heads]);
      return readToShow(scope, customs, { heads, read });
    }
    default:
      return assertNever(desired.rulesetOwnership);
  }
}

/** Rulesets that no file declares. */
interface Undeclared extends Pick<ListedScope, 'read'> {
  readonly heads: readonly LiveRulesetHead[];
}

async function readToDelete(
  scope: Scope,
  customs: CustomRulesets,
  { heads, left, read }: Undeclared & Pick<UndeclaredReading, 'left'>,
): Promise<UndeclaredReading> {
  if (customs.kind === 'unsure') {
    return { ...NOTHING, left, errors: heads.length === 0 ? [] : [unknownOwner(scope, heads)] };
  }
  const { values, errors } = await settleAll(addressesOf(heads).map(read));
  return { ...NOTHING, left, values, errors };
}

async function readToShow(
  scope: Scope,
  customs: CustomRulesets,
  { heads, read }: Undeclared,
): Promise<UndeclaredReading> {
  const isUnsure = (head: LiveRulesetHead): boolean => customs.kind === 'unsure' && head.kind === 'custom';
  const unseen: UnseenRuleset[] = addressesOf(heads.filter(isUnsure)).map((address) => ({
    address,
    reason: `the service does not say whether it belongs to the zone or to its account. ${ownerHint(scope)}`,
  }));
  const addresses = addressesOf(heads.filter((head) => !isUnsure(head)));
  const { values, errors } = await settleAll(
    addresses.map((address) =>
      orElse(
        read(address),
        ({ message }) => {
          unseen.push({ address, reason: message });
        },
        isForbidden,
      ),
    ),
  );
  return { ...NOTHING, values: values.filter((value) => value !== undefined), unseen, errors };
}

/** Returns each address once; reading an address with two rulesets reports that. */
function addressesOf(heads: readonly LiveRulesetHead[]): readonly RulesetAddress[] {
  return [...new Map(heads.map(addressOfRuleset).map((address) => [addressKey(address), address])).values()];
}

/** Phases whose `skip` rules may name rulesets, including those of other phases (api.md 4.2, 5.4). */
const REFERRING_PHASES = phasesOfKind('skip');

/**
 * Reads the undeclared rulesets that may refer to a custom ruleset that the plan deletes: entry points and custom rulesets of its phase,
 * because `execute` works within a phase (api.md 4.4), and of the phases whose `skip` rules may name it. Reads nothing when nothing is
 * deleted, which is nearly always the case.
 */
function readReferringRulesets(
  client: ReadClient,
  scope: Scope,
  about: {
    readonly desired: DesiredScope;
    readonly entries: readonly LiveEntry[];
    readonly listed: readonly LiveRulesetHead[];
    /** The scope's own custom rulesets. */
    readonly own: readonly LiveRulesetHead[];
    readonly cache: RulesetCache;
  },
): Promise<SettledReads<LiveRuleset>> {
  const { desired, entries, listed, own, cache } = about;
  const removed = entries.filter((entry) => isRemoved(desired, entry)).map(({ address }) => address.phase);
  const phases = new Set(removed.length === 0 ? [] : [...removed, ...REFERRING_PHASES]);
  const known = new Set(entries.flatMap(({ slot }) => (slot.kind === 'present' ? [slot.ruleset.id] : [])));
  const heads = [...entrypointsIn(scope, listed), ...own].filter(
    ({ phase, id }) => phases.has(phase) && !known.has(id),
  );
  return settleAll(heads.map(async (head) => (await readKept(client, scope, { head, cache })).ruleset));
}

/** Whether an entry is an existing custom ruleset that the files delete. */
function isRemoved({ rulesets }: DesiredScope, { address, slot }: LiveEntry): boolean {
  const key = addressKey(address);
  return (
    address.kind === 'custom' &&
    slot.kind === 'present' &&
    rulesets.every((ruleset) => addressKey(ruleset.address) !== key || ruleset.presence === 'absent')
  );
}

/**
 * Reads the list of a scope, then by id each declared ruleset that the list shows and the cache does not have. The absence of an entry
 * point is proven by its own GET.
 */
export async function readByList(
  client: ReadClient,
  scope: Scope,
  about: {
    readonly desired: DesiredScope;
    readonly accountLists: AccountLists;
    readonly cache: RulesetCache;
  },
): Promise<EntriesReading> {
  const { desired, accountLists, cache } = about;
  const listed = await listRulesets(client, scope);
  const customs = await customRulesetsFor(scope, desired, { listed, accountLists });
  const read = (address: RulesetAddress): Promise<EntryReading> =>
    readEntry(client, scope, { address, listed, customs, cache });
  const [declared, undeclared] = await Promise.all([
    settleAll(desired.rulesets.map(({ address }) => read(address))),
    readUndeclared(scope, desired, { listed, customs, read }),
  ]);
  const values = [...declared.values, ...undeclared.values];
  const entries = values.map(({ entry }) => entry);
  const own = customs.kind === 'own' ? customs.heads : [];
  const users = await readReferringRulesets(client, scope, { desired, entries, listed, own, cache });
  return {
    entries,
    catalogue: [...listed.filter(({ kind }) => kind === 'managed'), ...customs.heads],
    users: users.values,
    unseen: undeclared.unseen,
    undeclared: undeclared.left,
    errors: [...declared.errors, ...undeclared.errors, ...users.errors],
    asked: values.some(({ asked }) => asked),
  };
}

async function readEntry(
  client: ReadClient,
  scope: Scope,
  about: {
    readonly address: RulesetAddress;
    readonly listed: readonly LiveRulesetHead[];
    readonly customs: CustomRulesets;
    readonly cache: RulesetCache;
  },
): Promise<EntryReading> {
  const { address, listed, customs, cache } = about;
  const head =
    address.kind === 'custom'
      ? customRuleset(scope, customs, address)
      : entrypointHead(scope, listed, address.phase);
  if (head !== null) {
    const { ruleset, asked } = await readKept(client, scope, { head, cache });
    return { entry: presentAt(address, ruleset), asked };
  }
  if (address.kind === 'custom' || (await cache.knowsAbsent(scope, address.phase, listed))) {
    return { entry: absentAt(address), asked: false };
  }
  const ruleset = await readUnlisted(client, scope, address.phase);
  if (ruleset === null) {
    await cache.keepAbsent(scope, address.phase, listed);
    return { entry: absentAt(address), asked: true };
  }
  return { entry: presentAt(address, ruleset), asked: true };
}

function entrypointHead(
  scope: Scope,
  listed: readonly LiveRulesetHead[],
  phase: string,
): LiveRulesetHead | null {
  const [head, ...others] = entrypointsIn(scope, listed).filter((candidate) => candidate.phase === phase);
  if (head !== undefined && others.length > 0) {
    throw ambiguous(`${scopeLabel(scope)}: entry point of phase ${phase}`, [head, ...others]);
  }
  return head ?? null;
}
