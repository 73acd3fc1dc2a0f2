import type { DeclaredRuleset, ScopeFile, YamlDocument } from '../../config/index.ts';
import type { WholeScope } from '../../live/index.ts';
import type { LeftOut, DesiredRuleset, DesiredScope } from '../../model/index.ts';
import { addressKey, causeText, formatPlace } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import { entriesOf } from './live-entries.ts';
import type { DeclaredLive } from './scope-file-text.ts';
import { rulesLeft, stepsLeft } from './steps-left.ts';
import type { SensitiveNames } from './name-sensitive.ts';
import { itemsOf } from './follow-rules.ts';
import type { Grain, RulesetUpdate } from './follow-rules.ts';
import { writtenRule } from './written-rule.ts';

/** The context for updating the files of a scope. */
export interface UpdateContext {
  /** The files of the scope, with packs and variables not yet expanded. */
  readonly scopeFiles: readonly ScopeFile[];
  readonly desired: DesiredScope;
  readonly declared: readonly DeclaredLive[];
  readonly leftOut: readonly LeftOut[];
  readonly nameRules: boolean;
  readonly grain: Grain;
  readonly sensitive: SensitiveNames;
  /** Returns a file of the scope with its packs and variables expanded. */
  readonly composed: (file: ScopeFile) => YamlDocument;
  /** Makes the first own file of the scope, with the rulesets that no file declares. */
  readonly newFile: (missing: readonly DeclaredLive[]) => readonly [path: string, text: string];
}

/** The most differing rules that a message names. */
export const MAX_NAMED = 5;

/** Compares a declared ruleset with live, and returns what to change in its file. */
export function updateRuleset(
  desired: DesiredRuleset,
  whole: WholeScope,
  context: UpdateContext,
): RulesetUpdate {
  const { scopeFiles, nameRules, grain } = context;
  const entries = entriesOf(whole, [desired]);
  const scope = { ...context.desired, rulesets: [desired], rulesetOwnership: 'declared' } as const;
  const written = context.declared.find(({ address }) => addressKey(address) === addressKey(desired.address));
  const isSame = stepsLeft(scope, entries, whole) === undefined;
  const slot = entries[0]?.slot;
  const rules = slot?.kind === 'present' ? slot.ruleset.rules : [];
  if (isSame && !(nameRules && rules.some((rule) => writtenRule(written, rule).renamed))) {
    return { kind: 'same' };
  }
  if (desired.presence === 'absent') {
    return { kind: 'kept', reason: 'the files say that it is deleted, but it is live' };
  }
  const place = formatPlace(desired.cause);
  // Compares places: a name may be written with variables, or with an escaped `${`.
  const isDeclared = ({ where }: DeclaredRuleset): boolean => formatPlace(where) === place;
  const file = scopeFiles.find(({ rulesets }) => rulesets.some(isDeclared));
  const declared = file?.rulesets.find(isDeclared);
  if (file === undefined || declared === undefined) {
    const names = rulesLeft(scope, entries, whole);
    const differing = names.length === 0 ? '' : ` in ${someNames(names, MAX_NAMED)}`;
    const advice = isSame ? ': name its rules there' : `, and live differs${differing}: change it there`;
    return { kind: 'kept', reason: `${causeText(desired.cause)} declares it for several scopes${advice}` };
  }
  const about = {
    scope: context.desired,
    desired,
    declared,
    written,
    whole,
    grain,
    composed: () => context.composed(file),
  };
  if (slot?.kind !== 'present') {
    return desired.address.kind === 'custom'
      ? { kind: 'edit', edit: { kind: 'remove', ruleset: declared }, told: [] }
      : itemsOf({ ...about, live: undefined });
  }
  if (written === undefined) {
    const out = context.leftOut.find(({ phase }) => phase === desired.address.phase);
    return { kind: 'kept', reason: out?.reason ?? 'it cannot be declared' };
  }
  return itemsOf({ ...about, live: slot.ruleset });
}
