import { assertNever } from '../model/assert-never.ts';
import type { CustomRulesets } from './custom-rulesets.ts';
import { ownerHint, unknownOwner } from './custom-rulesets.ts';
import type { EntryReading } from './entries-reading.ts';
import { settleAll } from './entries-reading.ts';
import { entrypointsIn } from './read-ruleset.ts';
import { isForbidden, orElse } from '../api/service-error.ts';
import type { RulewrightError } from '../model/error.ts';
import type { LiveRulesetHead, RulesetAddress } from '../model/ruleset.ts';
import { addressKey, addressOfRuleset } from '../model/ruleset.ts';
import type { Scope } from '../model/scope.ts';
import type { DeclaredScope, UnseenRuleset } from '../model/state.ts';

/** The result of reading rulesets that no file declares. */
export interface UndeclaredReading {
  readonly values: readonly EntryReading[];
  readonly unseen: readonly UnseenRuleset[];
  /** What the files leave alone. */
  readonly left: readonly RulesetAddress[];
  readonly errors: readonly RulewrightError[];
}

const NOTHING: UndeclaredReading = { values: [], unseen: [], left: [], errors: [] };

/** A scope's list, the ownership of its custom rulesets, and the function that reads a ruleset. */
interface Listed {
  readonly listed: readonly LiveRulesetHead[];
  readonly customs: CustomRulesets;
  readonly read: (address: RulesetAddress) => Promise<EntryReading>;
}

/**
 * Reads the rulesets that no file declares, as far as `rulesetOwnership` concerns them. For rulesets to be deleted, every doubt is an
 * error. Rulesets that are only shown may stay unread: they are named as unseen, and everything else is still shown.
 */
export function readUndeclared(
  scope: Scope,
  desired: DeclaredScope,
  { listed, customs, read }: Listed,
): Promise<UndeclaredReading> {
  const declared = new Set(desired.rulesets.map(({ address }) => addressKey(address)));
  const undeclared = (heads: readonly LiveRulesetHead[]): readonly LiveRulesetHead[] =>
    heads.filter((head) => !declared.has(addressKey(addressOfRuleset(head))));
  // Custom rulesets of which it is not known whether they are the zone's are not told as its own.
  const known = [...entrypointsIn(scope, listed), ...(customs.kind === 'own' ? customs.heads : [])];
  switch (desired.rulesetOwnership) {
    case 'declared':
      return Promise.resolve({ ...NOTHING, left: addressesOf(undeclared(known)) });
    case 'all':
      return readToDelete(scope, customs, { heads: undeclared(customs.heads), read });
    case 'everything': {
      const heads = undeclared([...entrypointsIn(scope, listed), ...customs.heads]);
      return readToShow(scope, customs, { heads, read });
    }
    default:
      return assertNever(desired.rulesetOwnership);
  }
}

interface Undeclared extends Pick<Listed, 'read'> {
  readonly heads: readonly LiveRulesetHead[];
}

async function readToDelete(
  scope: Scope,
  customs: CustomRulesets,
  { heads, read }: Undeclared,
): Promise<UndeclaredReading> {
  if (customs.kind === 'unsure') {
    return { ...NOTHING, errors: heads.length === 0 ? [] : [unknownOwner(scope, heads)] };
  }
  const { values, errors } = await settleAll(addressesOf(heads).map(read));
  return { ...NOTHING, values, errors };
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
