import type { Settings, ProjectAround, FileNote } from '../../config/index.ts';
import { loadTexts, sourceText, withoutCommon, newName, rulesetDocument } from '../../config/index.ts';
import type {
  LeftOut,
  WhyLeftOut,
  DesiredRuleset,
  LiveRuleset,
  LiveRulesetHead,
  RulesetAddress,
  DesiredScope,
} from '../../model/index.ts';
import { phaseFacts, phaseOrder, addressKey, addressOfRuleset } from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import { hasReferences, nameTargets, owns, proposeRefs } from '../../plan/index.ts';
import type { WholeScope } from '../../live/index.ts';
import type { ManagedNames } from '../managed/managed-names.ts';
import { managedNotes } from '../managed/managed-names.ts';
import type { SensitiveNames } from './name-sensitive.ts';
import { nameSensitive } from './name-sensitive.ts';
import { rulesetsText } from './scope-file-text.ts';
import type { DeclaredLive } from './scope-file-text.ts';
import { stepsLeft } from './steps-left.ts';
import { partRuleset } from './part-ruleset.ts';
import type { RuleCandidate } from './part-ruleset.ts';

/** Lines that stand above a ruleset, and above its rules, by their ids. */
export interface RulesetComments {
  readonly above: readonly string[];
  readonly rules: ReadonlyMap<string, readonly string[]>;
}

/** The context for declaring the live rulesets of a scope. */
export interface ImportContext {
  readonly settings: Settings;
  readonly managed: ManagedNames;
  /** Whether unnamed rules get readable refs. */
  readonly nameRules: boolean;
  /** What the files call the scope. */
  readonly name: string;
  /** What a file can refer to. */
  readonly around?: ProjectAround;
  /** What the files already declare for the scope. */
  readonly desired?: DesiredScope | undefined;
  readonly sensitive?: SensitiveNames;
  /** What is to stand above rulesets and rules, by `addressKey`. */
  readonly comments?: ReadonlyMap<string, RulesetComments> | undefined;
}

/** Declares the rulesets of a scope as far as files can hold them, in the order in which they run. */
export function declareLive(
  whole: WholeScope,
  context: ImportContext,
): { readonly declared: readonly DeclaredLive[]; readonly leftOut: readonly LeftOut[] } {
  const declared: DeclaredLive[] = [];
  const leftOut: LeftOut[] = [];
  const sorted = [...whole.rulesets].sort((a, b) => phaseOrder(a.phase) - phaseOrder(b.phase));
  const candidates = sorted.flatMap((ruleset) => {
    const one = declare(ruleset, whole, context);
    if (one.kind === 'left-out') {
      leftOut.push(named(ruleset, one.why));
      return [];
    }
    return [{ ruleset, one: one.declared }];
  });
  // Checks all rulesets together, and one by one only to find which are at fault.
  const isExact = faultOf(candidates, whole, context) === undefined;
  for (const { ruleset, one } of candidates) {
    const fault = isExact ? undefined : faultOf([{ ruleset, one }], whole, context);
    if (fault !== undefined) {
      const parted = partRuleset(
        { ruleset, one },
        {
          fault,
          faultOf: (some) => faultOf(some, whole, context),
          hasOwnership:
            knownRuleset(one.address, context) !== undefined ||
            context.settings.ownership.rules.kind !== 'all',
        },
      );
      if (typeof parted === 'string') {
        leftOut.push(named(ruleset, unfit(parted)));
      } else {
        declared.push(parted);
      }
    } else if (context.nameRules) {
      const { ignore = [] } = knownRuleset(one.address, context) ?? context.settings;
      declared.push({ ...one, value: proposeRefs(one.value, ruleset.rules, ignore) });
    } else {
      declared.push(one);
    }
  }
  for (const head of whole.unsure) {
    leftOut.push(
      named(head, {
        code: 'owner-unknown',
        reason:
          'the service does not say whether it is the zone\'s or its account\'s; the token needs "Account Rulesets" Read',
      }),
    );
  }
  const told = new Set(withoutCommon(declared.flatMap(({ notes }) => notes)));
  return {
    declared: declared.map((one) => ({ ...one, notes: one.notes.filter((note) => told.has(note)) })),
    leftOut,
  };
}

function named({ kind, phase, name }: LiveRulesetHead, why: WhyLeftOut): LeftOut {
  return { kind: kind === 'custom' ? 'custom' : 'entrypoint', phase, name, ...why };
}

function unfit(reason: string): WhyLeftOut {
  return { code: 'unfit', reason };
}

/** Whether the files declare a ruleset that the import leaves out. */
export function declares({ rulesets }: DesiredScope, { kind, phase, name }: LeftOut): boolean {
  return rulesets.some(
    ({ address }) =>
      address.kind === kind &&
      address.phase === phase &&
      (address.kind === 'entrypoint' || address.name === name),
  );
}

type DeclareResult =
  | { readonly kind: 'declared'; readonly declared: DeclaredLive }
  | { readonly kind: 'left-out'; readonly why: WhyLeftOut };

function without(why: WhyLeftOut): DeclareResult {
  return { kind: 'left-out', why };
}

function declare(ruleset: LiveRuleset, whole: WholeScope, context: ImportContext): DeclareResult {
  const elsewhere = phaseFacts(ruleset.phase)?.writtenElsewhere;
  if (elsewhere !== undefined) {
    return without({ code: 'written-elsewhere', reason: elsewhere });
  }
  if (ruleset.kind === 'custom' && twins(ruleset, whole.rulesets).length > 1) {
    return without(unfit('several custom rulesets of this phase have this name, or one with the same slug'));
  }
  const address = addressOfRuleset(ruleset);
  const { settings } = context;
  const known = knownRuleset(address, context);
  const ownership = known?.ownership ?? settings.ownership.rules;
  const ours = ruleset.rules.filter((rule) => owns(ownership, rule));
  if (ours.length === 0 && known === undefined && ownership.kind === 'patterns') {
    return without({
      code: 'not-owned',
      reason: 'none of its rules has a ref that `ownership` gives to this project',
    });
  }
  const rules = ours.map((rule) => ({
    ...rule,
    content: nameTargets(rule.content, ruleset.phase, whole.catalogue),
  }));
  const written = rulesetDocument(
    { ...ruleset, rules },
    { kind: whole.scope.kind, timeZone: settings.timeZone },
  );
  const owned =
    known === undefined
      ? {}
      : { ownership: { rules: ownership.kind === 'all' ? 'all' : ownership.patterns } };
  const { sensitive = new Map() } = context;
  const value = nameSensitive({ ...owned, ...written.value }, sensitive);
  if (sensitive.size > 0 && hasReferences(value)) {
    return without(unfit('a sensitive value is where no variable can be used'));
  }
  const comments = context.comments?.get(addressKey(address));
  const notes = [
    ...(comments?.above ?? []).map((text) => ({ path: [], text, place: 'before' as const })),
    ...rules.flatMap(({ id }, index) =>
      (comments?.rules.get(id) ?? []).map((text) => ({
        path: ['rules', index],
        text,
        place: 'before' as const,
      })),
    ),
    ...newPhase(address),
    ...written.notes,
    ...managedNotes(rules, context.managed, whole.catalogue),
  ];
  const ids = rules.map(({ id }) => id);
  return { kind: 'declared', declared: { address, value, notes, allNotes: notes, ids } };
}

/** Returns what the files already declare for a ruleset. */
function knownRuleset(address: RulesetAddress, { desired }: ImportContext): DesiredRuleset | undefined {
  return desired?.rulesets.find((one) => addressKey(one.address) === addressKey(address));
}

function newPhase({ kind, phase }: RulesetAddress): readonly FileNote[] {
  return phaseFacts(phase) === undefined
    ? [newName(kind === 'custom' ? ['phase'] : [], 'config/unknown-phase')]
    : [];
}

function twins(ruleset: LiveRuleset, all: readonly LiveRuleset[]): readonly LiveRuleset[] {
  const key = (one: LiveRuleset): string => `${one.phase} ${slug(one.name)}`;
  return all.filter((one) => one.kind === 'custom' && key(one) === key(ruleset));
}

/**
 * Returns why the declared rulesets would not reproduce live: an error in their file, or what a plan would change. Undefined if they
 * would.
 */
function faultOf(
  rulesets: readonly RuleCandidate[],
  whole: WholeScope,
  { settings, name, around }: ImportContext,
): string | undefined {
  const declared = rulesets.map(({ one }) => one);
  const { scopes, diagnostics } = loadTexts(
    [sourceText('', rulesetsText(whole.scope, name, declared))],
    settings,
    around === undefined ? undefined : { ...around, packs: [] },
  );
  const error = diagnostics.find(({ severity }) => severity === 'error');
  const [desired] = scopes;
  if (desired === undefined) {
    return error === undefined ? 'it cannot be declared' : `a file cannot declare it: ${error.message}`;
  }
  const entries = rulesets.map(({ ruleset, one }) => ({
    address: one.address,
    slot: { kind: 'present', ruleset } as const,
  }));
  const left = stepsLeft(desired, entries, whole);
  return left === undefined ? undefined : `a file cannot say all of it: ${left}`;
}
