import { groupBy } from '../../data/index.ts';
import type {
  GuardFinding,
  RulesetAddress,
  DesiredRuleset,
  Scope,
  ScopeRef,
  DesiredScope,
  Step,
} from '../../model/index.ts';
import { addressKey, isId, scopeLabel, settingFacts, settingFieldName } from '../../model/index.ts';
import { someNames, quoted } from '../../text/index.ts';
import { owns } from '../match/name-rules.ts';

/** The most scopes, rulesets or phases that a finding names. */
const MOST_NAMED = 20;

/** What the files declared before, and what they declare now. */
export interface DeclaredBeforeAndNow {
  readonly before: readonly DesiredScope[];
  readonly now: readonly DesiredScope[];
  /** Scopes that were read; needed since one file may name a scope by its id and another by its name. */
  readonly known: readonly Scope[];
}

/**
 * Finds everything with rules that the files declared and no longer declare. Nothing is planned for it: it stays live, and changes to it are no
 * longer reported as drift. What was declared without rules leaves nothing behind, so deleting the rules first and then removing the
 * declaration gives no finding.
 */
export function findLetGo({ before, now, known }: DeclaredBeforeAndNow): readonly GuardFinding[] {
  const identify = identities(known);
  const perhaps = maybeRenamed({ before, now, known }, identify);
  const kept = keptBy(groupBy(now, ({ scope }) => identify(scope)));
  const gone: Record<'alone' | 'listed', string[]> = { alone: [], listed: [] };
  const stillRead = new Set(now.flatMap(({ files = [] }) => files));
  const places = new Map<string, UndeclaredRuleset & { readonly scopes: string[] }>();
  const objects = new Map<string, DeclaredObject & { readonly scopes: string[] }>();
  for (const { scope, rulesets, files = [], ...others } of before) {
    const same = kept.get(identify(scope)) ?? perhaps(scope);
    const left = rulesets.filter(({ rules, address }) => rules.length > 0 && !isKept(address, same));
    const label = scopeLabel(scope);
    const isListed = files.some((file) => stillRead.has(file) && same?.files.has(file) !== true);
    const released = managedObjects(others).filter(({ text }) => same?.objects.has(text) !== true);
    if (same === undefined && left.length + released.length > 0) {
      gone[isListed ? 'listed' : 'alone'].push(
        `${label} (${named([...left.map(({ address }) => addressKey(address)), ...released.map(({ text }) => text)])})`,
      );
    }
    for (const object of same === undefined ? [] : released) {
      const known = objects.get(object.text) ?? { ...object, scopes: [] };
      known.scopes.push(label);
      objects.set(object.text, known);
    }
    for (const { address } of same === undefined ? [] : left) {
      const key = `${addressKey(address)} ${isListed}`;
      const place = places.get(key) ?? { address, isListed, scopes: [] };
      place.scopes.push(label);
      places.set(key, place);
    }
  }
  return [
    ...scopesFindings(gone.alone, 'keep the file, say rules: [] in each phase, apply, then remove it'),
    ...scopesFindings(
      gone.listed,
      `give ${gone.listed.length === 1 ? 'it' : 'each'} a file of its own with rules: [] in each phase (the file that named ` +
        `${gone.listed.length === 1 ? 'it' : 'them'} still declares others), apply, then remove that file`,
    ),
    ...[...places.values()].map((place) => rulesetFinding(place)),
    ...[...objects.values()].map(({ kind, text, scopes }) =>
      finding(
        `the ${text} in ${named(scopes)} is no longer managed. What is live there stays.${kind === 'list' ? ' To delete it instead, keep its name with absent: true' : ''}`,
      ),
    ),
  ];
}

/** A list or a setting, as findings name it. */
interface DeclaredObject {
  readonly kind: 'list' | 'setting';
  readonly text: string;
}

function listObject({ name }: { readonly name: string }): DeclaredObject {
  return { kind: 'list', text: `list ${name}` };
}

function settingObject({ name }: { readonly name: string }): DeclaredObject {
  return { kind: 'setting', text: `setting ${settingFieldName(settingFacts(name) ?? { name })}` };
}

/** Returns the lists and settings that a scope manages. */
function managedObjects({
  lists = [],
  settings = [],
}: Pick<DesiredScope, 'lists' | 'settings'>): readonly DeclaredObject[] {
  return [
    ...lists
      .filter(({ presence, items }) => presence !== 'absent' && items !== 'external')
      .map((list) => listObject(list)),
    ...settings.map((setting) => settingObject(setting)),
  ];
}

/** The finding that this cannot be known, because the files of the revision are missing or invalid. */
export function unknownLetGo(revision: string, why: string): GuardFinding {
  return finding(`what is no longer managed since ${revision} is not known${why}`);
}

/** Returns a function that gives one text for a scope, whether a file names it by name or by id. */
function identities(known: readonly Scope[]): (scope: ScopeRef) => string {
  const ids = new Map(known.map((scope) => [scopeLabel(scope), scopeLabel({ ...scope, name: scope.id })]));
  return (scope) => ids.get(scopeLabel(scope)) ?? scopeLabel(scope);
}

/**
 * Returns a function that finds what a scope may keep if it was renamed: the newly named scopes with an id where the old one had a name, or the
 * other way round. Only scopes that this run did not read come into question, since for these only one of id and name is known.
 */
function maybeRenamed(
  { before, now, known }: DeclaredBeforeAndNow,
  identify: (scope: ScopeRef) => string,
): (scope: ScopeRef) => StillDeclared | undefined {
  const named = new Set(before.map(({ scope }) => identify(scope)));
  const read = new Set(
    known.flatMap((scope) => [scopeLabel(scope), scopeLabel({ ...scope, name: scope.id })]),
  );
  const open = now.filter(({ scope }) => !read.has(scopeLabel(scope)) && !named.has(identify(scope)));
  const otherwise = keptBy(groupBy(open, ({ scope: { kind, name } }) => `${kind} ${!isId(name)}`));
  return ({ kind, name }) => otherwise.get(`${kind} ${isId(name)}`);
}

/** What some scopes still declare. */
interface StillDeclared {
  readonly addresses: ReadonlySet<string>;
  /** The lists and settings that are declared, in whatever way, as findings name them. */
  readonly objects: ReadonlySet<string>;
  /** The files that declare these scopes. */
  readonly files: ReadonlySet<string>;
  /** Whether one of the scopes says `rulesets: all`: undeclared custom rulesets are then deleted, and the plan shows it. */
  readonly showsAll: boolean;
}

function keptBy(groups: ReadonlyMap<string, readonly DesiredScope[]>): ReadonlyMap<string, StillDeclared> {
  return new Map(
    [...groups].map(([key, scopes]) => [
      key,
      {
        addresses: new Set(scopes.flatMap(({ rulesets }) => rulesets.map((one) => addressKey(one.address)))),
        objects: new Set(
          scopes.flatMap(({ lists = [], settings = [] }) =>
            [...lists.map((list) => listObject(list)), ...settings.map((one) => settingObject(one))].map(
              ({ text }) => text,
            ),
          ),
        ),
        files: new Set(scopes.flatMap(({ files = [] }) => files)),
        showsAll: scopes.some(({ rulesetOwnership }) => rulesetOwnership === 'all'),
      },
    ]),
  );
}

function isKept(address: RulesetAddress, kept: StillDeclared | undefined): boolean {
  return (
    kept !== undefined &&
    (kept.addresses.has(addressKey(address)) || (address.kind === 'custom' && kept.showsAll))
  );
}

/** `way` tells how to delete their rules instead. */
function scopesFindings(scopes: readonly string[], way: string): readonly GuardFinding[] {
  return scopes.length === 0
    ? []
    : [
        finding(
          `no file declares ${named(scopes)} any more. What is live there stays, but is no longer managed. ` +
            `To delete its rules instead, ${way}`,
        ),
      ];
}

/** A ruleset that scopes no longer declare, though files still declare other parts of these scopes. */
interface UndeclaredRuleset {
  readonly address: RulesetAddress;
  /** Whether the file that declared the scope still declares others, so that it cannot be used to delete the rules. */
  readonly isListed: boolean;
  readonly scopes: readonly string[];
}

function rulesetFinding({ address, isListed, scopes }: UndeclaredRuleset): GuardFinding {
  const isPhase = address.kind === 'entrypoint';
  const way = isPhase
    ? `${isListed ? 'declare' : 'keep'} the phase with the ownership that it had, and rules: []`
    : `${isListed ? 'declare' : 'keep'} its name with absent: true`;
  const place = isListed ? ', in a file that names no other scope' : '';
  const what = isPhase ? address.phase : `custom ruleset ${quoted(address.name)} (${address.phase})`;
  return finding(
    `${what} in ${named(scopes)} is no longer managed. What is live there stays. ` +
      `To delete ${isPhase ? 'its rules' : 'it'} instead, ${way}${place}`,
  );
}

function finding(message: string): GuardFinding {
  return { kind: 'settings', effect: 'warn', message };
}

function named(names: readonly string[]): string {
  return someNames(names, MOST_NAMED);
}

/** A ruleset as the files declared it before and declare it now, and its planned step. */
export interface Redeclared {
  /** Label of its scope. */
  readonly scope: string;
  readonly before: DesiredRuleset;
  readonly now: DesiredRuleset;
  /** Absent when nothing changes. */
  readonly step?: Step | undefined;
}

/**
 * Finds rules that the files declared, no longer declare, and leave to others because `ownership` became narrower: they stay live. Rulesets
 * that release the same rules share one finding.
 */
export function findUndeclaredRules(rulesets: readonly Redeclared[]): readonly GuardFinding[] {
  const undeclared = rulesets.flatMap(({ scope, ...one }) => {
    const names = undeclaredRules(one);
    return names.length === 0 ? [] : [{ scope, names, key: addressKey(one.now.address) }];
  });
  const alike = groupBy(undeclared, ({ key, names }) => JSON.stringify([key, names]));
  return [...alike.values()].flatMap((group): readonly GuardFinding[] => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const scopes = someNames(
      group.map(({ scope }) => scope),
      MOST_NAMED,
    );
    const [are, stay, them] =
      first.names.length === 1
        ? ['1 rule is no longer managed', 'It stays', 'it']
        : [`${first.names.length} rules are no longer managed`, 'They stay', 'them'];
    const message =
      `${are} in ${first.key} of ${scopes}: ${someNames(first.names, MOST_NAMED)}. ${stay} live, since ownership leaves ${them} to others. ` +
      `To delete ${them} instead, take ${them} out of the file, apply, then change ownership`;
    return [{ kind: 'settings', effect: 'warn', message }];
  });
}

function undeclaredRules({ before, now, step }: Omit<Redeclared, 'scope'>): readonly string[] {
  if (now.presence === 'absent' || now.ownership.kind === 'all') {
    return [];
  }
  const declared = new Set(now.rules.flatMap(({ ref }) => ref ?? []));
  // A rule that is taken over continues under another name.
  const takenOver = new Set(
    step?.changes.flatMap((change) => (change.kind === 'patch' ? (change.adopts ?? []) : [])),
  );
  return before.rules.flatMap(({ ref }) =>
    ref === undefined || declared.has(ref) || takenOver.has(ref) || owns(now.ownership, { ref }) ? [] : [ref],
  );
}
