import type { Settings } from '../../config/project/settings.ts';
import { loadTexts } from '../../config/load-text.ts';
import type { ProjectAround } from '../../config/load-text.ts';
import { sourceText } from '../../config/source/source-text.ts';
import { withoutCommon } from '../../config/write/common-notes.ts';
import { leftOutFoot } from '../../config/write/left-out.ts';
import { newName } from '../../config/write/rule-document.ts';
import { rulesetDocument, under } from '../../config/write/ruleset-yaml.ts';
import { documentText } from '../../config/write/scope-text.ts';
import type { FileNote } from '../../config/write/scope-text.ts';
import { changedRule } from '../../model/change.ts';
import { isTelling } from '../../model/described-name.ts';
import type { LeftOut, WhyLeftOut } from '../../model/import-summary.ts';
import type { JsonObject } from '../../model/json.ts';
import { phaseFacts, phaseOrder, WRITTEN_ELSEWHERE } from '../../model/phase.ts';
import { addressKey, addressOfRuleset } from '../../model/ruleset.ts';
import type { DesiredRuleset, LiveRuleset, LiveRulesetHead, RulesetAddress } from '../../model/ruleset.ts';
import { slug } from '../../model/slug.ts';
import type { Scope } from '../../model/scope.ts';
import type { Step } from '../../model/plan.ts';
import type { DesiredScope, LiveEntry } from '../../model/state.ts';
import { hasReferences } from '../../plan/hide/hide-text.ts';
import { nameTargets } from '../../plan/names/resolve-targets.ts';
import { isNaming } from '../../plan/rules/naming.ts';
import { owns } from '../../plan/rules/ownership.ts';
import { planScope } from '../../plan/plan-scope.ts';
import { proposeRefs } from '../../plan/names/propose-refs.ts';
import { leftOutText } from '../../report/text/import.ts';
import type { WholeScope } from '../../live/read-whole-scope.ts';
import type { SensitiveNames } from './name-sensitive.ts';
import { nameSensitive } from './name-sensitive.ts';
import type { ManagedNames } from '../managed/managed-names.ts';
import { managedNotes } from '../managed/managed-names.ts';

/** A live ruleset as a file declares it. */
export interface DeclaredLive {
  readonly address: RulesetAddress;
  readonly value: JsonObject;
  readonly notes: readonly FileNote[];
  /** With those that a file does not get because too many rules would have them. */
  readonly allNotes: readonly FileNote[];
  /** Ids of the live rules, in the order of those in `value`. */
  readonly ids: readonly string[];
}

/** The context for writing a scope. */
export interface ImportContext {
  readonly settings: Settings;
  readonly managed: ManagedNames;
  /** Whether rules that nobody named get readable refs. */
  readonly nameRules: boolean;
  /** What the files call the scope. */
  readonly name: string;
  /** What a file can name. */
  readonly around?: ProjectAround;
  /** What the files declare already. */
  readonly desired?: DesiredScope | undefined;
  readonly sensitive?: SensitiveNames;
}

/** The rulesets of a scope, as far as files can hold them, in the order in which they run. */
export function declareLive(
  whole: WholeScope,
  context: ImportContext,
): { readonly declared: readonly DeclaredLive[]; readonly leftOut: readonly LeftOut[] } {
  const declared: DeclaredLive[] = [];
  const leftOut: LeftOut[] = [];
  const sorted = [...whole.rulesets].sort((a, b) => phaseOrder(a.phase) - phaseOrder(b.phase));
  const candidates = sorted.flatMap((ruleset) => {
    const one = declare(ruleset, whole, context);
    if ('code' in one) {
      leftOut.push(named(ruleset, one));
      return [];
    }
    return [{ ruleset, one }];
  });
  // All at once; one by one only to find which it is.
  const isExact = faultOf(candidates, whole, context) === undefined;
  for (const { ruleset, one } of candidates) {
    const fault = isExact ? undefined : faultOf([{ ruleset, one }], whole, context);
    if (fault !== undefined) {
      leftOut.push(named(ruleset, unfit(fault)));
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

/** Whether files declare what cannot be declared by an import. */
export function declares({ rulesets }: DesiredScope, { kind, phase, name }: LeftOut): boolean {
  return rulesets.some(
    ({ address }) =>
      address.kind === kind &&
      address.phase === phase &&
      (address.kind === 'entrypoint' || address.name === name),
  );
}

function declare(ruleset: LiveRuleset, whole: WholeScope, context: ImportContext): DeclaredLive | WhyLeftOut {
  const elsewhere = WRITTEN_ELSEWHERE.get(ruleset.phase);
  if (elsewhere !== undefined) {
    return { code: 'written-elsewhere', reason: elsewhere };
  }
  if (ruleset.kind === 'custom' && twins(ruleset, whole.rulesets).length > 1) {
    return unfit('several custom rulesets of this phase have this name, or one with the same slug');
  }
  const address = addressOfRuleset(ruleset);
  const { settings } = context;
  const known = knownRuleset(address, context);
  const ownership = known?.ownership ?? settings.ownership.rules;
  const ours = ruleset.rules.filter((rule) => owns(ownership, rule));
  if (ours.length === 0 && known === undefined && ownership.kind === 'patterns') {
    return {
      code: 'not-owned',
      reason: 'none of its rules has a ref that `ownership` gives to this project',
    };
  }
  const rules = ours.map((rule) => ({
    ...rule,
    content: nameTargets(rule.content, ruleset.phase, whole.catalogue),
  }));
  const written = rulesetDocument({ ...ruleset, rules }, whole.scope.kind);
  const owned =
    known === undefined
      ? {}
      : { ownership: { rules: ownership.kind === 'all' ? 'all' : ownership.patterns } };
  const { sensitive = new Map() } = context;
  const value = nameSensitive({ ...owned, ...written.value }, sensitive);
  if (sensitive.size > 0 && hasReferences(value)) {
    return unfit('a sensitive value is where no variable can be used');
  }
  const notes = [
    ...newPhase(address),
    ...written.notes,
    ...managedNotes(rules, context.managed, whole.catalogue),
  ];
  return { address, value, notes, allNotes: notes, ids: rules.map(({ id }) => id) };
}

/** What the files declare of a ruleset already. */
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

/** Why rulesets would not come back as they are: what is wrong with their file, or what a plan would change. */
function faultOf(
  rulesets: readonly { readonly ruleset: LiveRuleset; readonly one: DeclaredLive }[],
  whole: WholeScope,
  { settings, name, around }: ImportContext,
): string | undefined {
  const declared = rulesets.map(({ one }) => one);
  const { scopes, diagnostics } = loadTexts(
    [sourceText('', documentText(scopeValue(whole.scope, name, declared), placedNotes(declared)))],
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

/** What a plan of these files would do beside giving rules their first names; absent when it is empty. */
export function stepsLeft(
  desired: DesiredScope,
  entries: readonly LiveEntry[],
  { scope, catalogue }: WholeScope,
): string | undefined {
  const plan = planScope(desired, { scope, entries, catalogue });
  if (plan.kind === 'failed') {
    return plan.error.message;
  }
  const steps = plan.steps.filter((step) => !onlyNames(step));
  return steps.length === 0 ? undefined : steps.map(({ id }) => id).join(', ');
}

/** What nobody has named live cannot have been named otherwise there: the files follow nothing in it. */
function onlyNames(step: Step): boolean {
  return (
    step.operation === 'update' &&
    step.description === undefined &&
    step.changes.every((change) => isNaming(change) && isTelling(change.ref))
  );
}

/** The rules that a plan of these files would change, as people know them. */
export function rulesLeft(
  desired: DesiredScope,
  entries: readonly LiveEntry[],
  { scope, catalogue }: WholeScope,
): readonly string[] {
  const plan = planScope(desired, { scope, entries, catalogue });
  const changes = plan.kind === 'failed' ? [] : plan.steps.flatMap((step) => step.changes);
  return changes.map(changedRule);
}

/** The document of a scope. */
function scopeValue(scope: Scope, name: string, declared: readonly DeclaredLive[]): JsonObject {
  const entrypoints = declared.filter(({ address }) => address.kind === 'entrypoint');
  const customs = declared.filter(({ address }) => address.kind === 'custom');
  return {
    [scope.kind]: name,
    ...(entrypoints.length === 0
      ? {}
      : { entrypoints: Object.fromEntries(entrypoints.map(({ address, value }) => [address.phase, value])) }),
    ...(customs.length === 0 ? {} : { rulesets: customs.map(({ value }) => value) }),
  };
}

/** The notes of rulesets, where these stand in the document of their scope. */
function placedNotes(declared: readonly DeclaredLive[]): readonly FileNote[] {
  const customs = declared.filter(({ address }) => address.kind === 'custom');
  return declared.flatMap((one) => {
    const { kind, phase } = one.address;
    return under(
      kind === 'entrypoint' ? ['entrypoints', phase] : ['rulesets', customs.indexOf(one)],
      one.notes,
    );
  });
}

/** The file of a scope that has none yet. */
export function scopeFileText(
  scope: Scope,
  {
    name,
    declared,
    leftOut,
    schema,
  }: {
    readonly name: string;
    readonly declared: readonly DeclaredLive[];
    readonly leftOut: readonly LeftOut[];
    /** Path of the schema from the file. */
    readonly schema: string;
  },
): string {
  const products = declared.flatMap(({ address: { kind, phase } }): readonly FileNote[] => {
    const product = kind === 'entrypoint' ? phaseFacts(phase)?.product : undefined;
    return product === undefined ? [] : [{ path: ['entrypoints', phase], text: product, place: 'before' }];
  });
  return documentText(scopeValue(scope, name, declared), [...products, ...placedNotes(declared)], {
    head: [`yaml-language-server: $schema=${schema}`],
    foot: leftOutFoot(leftOut.map(leftOutText)),
  });
}
