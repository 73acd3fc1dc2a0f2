import type { ReadClient, ServiceError } from '../../api/index.ts';
import { hasStatus } from '../../api/index.ts';
import { checkList, finding } from '../../config/index.ts';
import type { KnownList, ListProblem, ListVerdict } from '../../config/index.ts';
import { createReadLists } from '../../live/index.ts';
import { assertNever, groupBy } from '../../data/index.ts';
import { compareText, counted, someNames } from '../../text/index.ts';
import type {
  DesiredList,
  Diagnostic,
  ListUse,
  PlanError,
  PlannedScope,
  PlanNote,
  ScopePlan,
  Scope,
  DesiredScope,
} from '../../model/index.ts';
import { formatPlace, startOf } from '../../model/index.ts';
import type { ListingRule } from '../../plan/index.ts';
import { rulesWithLists } from '../../plan/index.ts';
import type { PlanPurpose } from '../project/selection.ts';

/** Checks that the lists which rules name exist. */
export interface ListCheck {
  /**
   * Adds notes about lists to a plan: about missing lists, and about lists of rules to be written that cannot be looked up. Fails a
   * scope in which rules would be written that the service refuses because of their lists; for drift, only adds notes. Reads the
   * lists of an account once, and only if a rule names one.
   */
  check(
    plan: PlannedScope,
    about: {
      readonly desired: DesiredScope;
      readonly client: ReadClient;
      /** The lists that the run makes, changes or deletes in the account. */
      readonly declared: readonly DesiredList[];
    },
  ): Promise<ScopePlan>;
  /** Returns why scopes have failed, with the places in the files. A fault of a list is reported once per account. */
  findings(): readonly Diagnostic[];
}

/** A faulty use of a list in a rule that is to be written. */
interface WrongUse extends ListProblem {
  readonly use: ListUse;
  readonly scope: Scope;
}

interface JudgedUse {
  readonly rule: ListingRule;
  readonly use: ListUse;
  readonly verdict: ListVerdict;
}

/** Creates the list check of one run. */
export function createListCheck(purpose: PlanPurpose): ListCheck {
  const readLists = createReadLists();
  const wrong: WrongUse[] = [];
  return {
    async check(plan, { desired, client, declared }) {
      const rules = rulesWithLists(desired, plan);
      if (rules.length === 0) {
        return plan;
      }
      const { scope } = plan;
      const reading = await readLists(client, scope.accountId);
      if (reading.kind === 'failed') {
        return withNotes(
          plan,
          rules.filter(({ written }) => written).map((rule) => unchecked(rule, reading.error)),
        );
      }
      const account = scope.kind === 'account' ? `the account ${scope.name}` : ACCOUNT_ABOVE;
      const known = withDeclared(reading.lists, declared);
      const judged = rules.flatMap((rule) =>
        rule.lists.map((use) => ({
          rule,
          use,
          verdict: withExternal(checkList(use, known, account), use, declared),
        })),
      );
      const refused = judged.flatMap(({ rule, use, verdict }) =>
        verdict.kind === 'wrong' && rule.written ? [{ ...verdict.problem, use, scope }] : [],
      );
      if (purpose.kind === 'drift' || refused.length === 0) {
        return withNotes(plan, judged.flatMap(verdictNotes));
      }
      wrong.push(...refused);
      return { kind: 'failed', scope: { kind: scope.kind, name: scope.name }, error: wrongError(refused) };
    },
    findings: () => eachListOnce(wrong),
  };
}

/** Returns the lists that the account has when the run is over: a list that somebody else fills is made by somebody else too. */
function withDeclared(live: readonly KnownList[], declared: readonly DesiredList[]): readonly KnownList[] {
  const ours = declared.filter(({ items }) => items !== 'external');
  const names = new Set(ours.map(({ name }) => name));
  const kept = live.filter(({ name }) => !names.has(name));
  return [...kept, ...ours.filter(({ presence }) => presence === 'present')];
}

/** Says of a list that is declared with `items: external` and missing how it comes to be. */
function withExternal(
  verdict: ListVerdict,
  { name }: ListUse,
  declared: readonly DesiredList[],
): ListVerdict {
  const isExternal = declared.some((list) => list.name === name && list.items === 'external');
  if (verdict.kind !== 'wrong' || verdict.problem.code !== 'list/unknown' || !isExternal) {
    return verdict;
  }
  const hint =
    'it is declared with `items: external`, so this run does not make it: make it at the service first, or give it items';
  return { kind: 'wrong', problem: { ...verdict.problem, hint } };
}

/** Removes backquotes: those are for findings about files, while notes and errors of scopes are prose. */
function prose(text: string): string {
  return text.replaceAll('`', '');
}

/** Returns the place of a use, without where its pack is used, so that the same fault in many zones is reported as one. */
function placeOf({ where: { via: _via, ...place } }: ListUse): string {
  return formatPlace(place);
}

/** Maximum number of further places that a finding about a list names. */
const MOST_PLACES = 5;

/** Returns what to say of the places where a fault stands besides the first one. */
function alsoAt([, ...others]: readonly string[]): string {
  return others.length === 0 ? '' : `; also at ${someNames(others, MOST_PLACES)}`;
}

function wrongError(uses: readonly WrongUse[]): PlanError {
  const [first] = uses;
  const messages = [...groupBy(uses, ({ message }) => message)].map(([message, same]) => {
    const places = placesOf(same);
    return `${places[0]}: ${prose(message)}${alsoAt(places)}`;
  });
  return {
    code: first?.code ?? 'list/unknown',
    message: messages.join('\n'),
    hint: first === undefined ? undefined : prose(first.hint),
  };
}

function placesOf(uses: readonly WrongUse[]): readonly string[] {
  return [...new Set(uses.map(({ use }) => placeOf(use)))];
}

/** The account in what a plan says of a zone: the same words in every zone, so that zones of one fault stand together. */
const ACCOUNT_ABOVE = 'the account of the zone';

/** What is said at a place of the files has to name the zone, which a plan shows otherwise. */
function namingZone({ message, scope: { name } }: WrongUse): string {
  return message.replace(ACCOUNT_ABOVE, () => `the account of ${name}`);
}

function withNotes(plan: PlannedScope, notes: readonly PlanNote[]): PlannedScope {
  return notes.length === 0 ? plan : { ...plan, notes: [...plan.notes, ...notes] };
}

function unchecked(rule: ListingRule, error: ServiceError): PlanNote {
  const names = [...new Set(rule.lists.map(({ name }) => name))].join(', ');
  const why = hasStatus(error, 403) ? (error.hint ?? error.message) : error.message;
  const message = `not checked whether the account has ${names}: ${why}`;
  return note('list-unchecked', rule, { message, cause: rule.cause });
}

function verdictNotes({ rule, use, verdict }: JudgedUse): readonly PlanNote[] {
  switch (verdict.kind) {
    case 'wrong':
      return [problemNote(rule, use, verdict.problem)];
    case 'unchecked':
      return rule.written
        ? [note('list-unchecked', rule, { message: verdict.message, cause: startOf(use.where) })]
        : [];
    case 'fits':
      return [];
    default:
      return assertNever(verdict);
  }
}

function problemNote(rule: ListingRule, { where }: ListUse, { message, hint }: ListProblem): PlanNote {
  return note('list', rule, { message: prose(`${message}; ${hint}`), cause: startOf(where) });
}

function note(
  kind: 'list' | 'list-unchecked',
  { step, rule, description }: ListingRule,
  told: Pick<PlanNote, 'message' | 'cause'>,
): PlanNote {
  return { kind, step, rule, description, ...told };
}

/**
 * Reports each fault of a list once per account, at its first place: a list that is missing is missing everywhere, and a pack brings the same place
 * into many zones.
 */
function eachListOnce(uses: readonly WrongUse[]): readonly Diagnostic[] {
  const faults = groupBy(uses, ({ code, message, scope }) => `${code} ${scope.accountId} ${message}`);
  return [...faults.values()].flatMap((same) => {
    // Scopes are read side by side: which one is named must not depend on which one came first.
    const sorted = same.toSorted((a, b) => comparePlaces(a, b) || compareText(a.scope.name, b.scope.name));
    const [first] = sorted;
    if (first === undefined) {
      return [];
    }
    const { code, hint, use } = first;
    const places = placesOf(sorted);
    const more = new Set(same.map(({ scope }) => scope.id)).size - 1;
    // Where there are several places, their files tell what is concerned.
    const others =
      places.length === 1 && more > 0
        ? `; the rule is in ${counted(more, 'more scope')} of it`
        : alsoAt(places);
    return [finding(code, { message: `${namingZone(first)}${others}`, hint, where: use.where })];
  });
}

function comparePlaces({ use: { where: a } }: WrongUse, { use: { where: b } }: WrongUse): number {
  return compareText(a.file, b.file) || a.start.line - b.start.line || a.start.column - b.start.column;
}
