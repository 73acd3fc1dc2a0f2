import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SensitiveNames } from './name-sensitive.ts';
import { gitFailure } from '../project/git-failure.ts';
import { gitText } from '../project/git.ts';
import { scopeFilesIn, sourceText, parseYaml } from '../../config/index.ts';
import type { DeclaredRule, RulesetEdit } from '../../config/index.ts';
import { groupBy, jsonEqual, objectOf, textOf } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { RulewrightError, isTelling, addressKey } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';

/** What an import removes from a file. */
export type Replaced = ReplacedRule | ReplacedObject;

/** Something of a list or setting, and whether the text of a file has it. */
interface ReplacedObject {
  readonly kind: 'object';
  readonly file: string;
  readonly name: string;
  readonly isIn: (text: string) => boolean;
}

/** A rule that an import removes, or some of whose members it replaces; `members` are no longer in the file. */
interface ReplacedRule {
  readonly kind: 'rule';
  readonly file: string;
  /** The ruleset by its address (`addressKey`). */
  readonly ruleset: string;
  readonly rule: JsonObject;
  readonly members: readonly string[];
  /** The rule and its place, for messages. */
  readonly name: string;
}

/**
 * Returns what an edit removes from the file of a ruleset. An id that a ref replaces and a secret that its variable replaces are no
 * loss.
 */
export function replacedBy(
  edit: RulesetEdit,
  {
    nameOf,
    sensitive,
  }: {
    readonly nameOf: (rule: DeclaredRule) => string;
    readonly sensitive: SensitiveNames;
  },
): readonly ReplacedRule[] {
  const { address, document, rules } = edit.ruleset;
  const items = edit.kind === 'edit' ? edit.items : [];
  const stays = new Map(
    items.flatMap((item) => (item.kind === 'insert' ? [] : [[item.index, item] as const])),
  );
  return rules.flatMap((rule, index) => {
    const item = stays.get(index);
    const wanted = item === undefined ? {} : item.kind === 'edit' ? objectOf(item.wanted) : rule.value;
    const isLost = ([key, value]: readonly [string, JsonValue]): boolean =>
      !jsonEqual(value, wanted[key]) &&
      !comesToName(wanted[key], value, sensitive) &&
      !(item !== undefined && key === 'ref' && !isTelling(textOf(value)));
    const members = Object.entries(rule.value).flatMap((one) => (isLost(one) ? [one[0]] : []));
    return members.length === 0
      ? []
      : [
          {
            kind: 'rule',
            file: document.source.path,
            ruleset: addressKey(address),
            rule: rule.value,
            members,
            name: nameOf(rule),
          },
        ];
  });
}

function comesToName(wanted: JsonValue | undefined, value: JsonValue, sensitive: SensitiveNames): boolean {
  const count = (one: JsonValue | undefined): number =>
    [...sensitive.values()].filter((name) => JSON.stringify(one ?? null).includes(`\${${name}}`)).length;
  return count(wanted) > count(value);
}

/** Returns the error for an import that would remove content which Git does not have, or cannot be asked for; null if nothing is lost. */
export async function unsavedLoss(
  root: string,
  replaced: readonly Replaced[],
): Promise<RulewrightError | null> {
  const lost: string[] = [];
  const untold: Untold[] = [];
  for (const [file, all] of groupBy(replaced, (one) => one.file)) {
    const saved = await savedText(root, file);
    if (saved.kind === 'untold') {
      untold.push(saved);
    }
    const has = saved.kind === 'told' ? rulesIn(file, saved.text) : () => false;
    const isSaved = (one: Replaced): boolean =>
      one.kind === 'rule' ? has(one) : saved.kind === 'told' && one.isIn(saved.text);
    lost.push(...all.filter((one) => !isSaved(one)).map(({ name }) => name));
  }
  return lost.length === 0 ? null : unsaved(someNames(lost, MAX_NAMED), untold[0]);
}

type Untold = Extract<SavedText, { readonly kind: 'untold' }>;

function unsaved(names: string, untold: Untold | undefined): RulewrightError {
  const what =
    untold === undefined ? 'what Git does not have' : `what Git cannot vouch for (${untold.reason})`;
  return new RulewrightError(`following live would lose ${what}: ${names}`, {
    code: 'import/unsaved',
    fault: 'user',
    hint: `${untold?.hint ?? STASH}; --discard imports all the same, and loses it`,
  });
}

const STASH =
  'commit it first; or put it aside with git stash, and merge it after the import with git stash pop';

const MAX_NAMED = 5;

/** Returns a function that tells whether the text of a file has the same rule with the same members. */
function rulesIn(file: string, text: string): (one: ReplacedRule) => boolean {
  const { document } = parseYaml(sourceText(file, text));
  const rulesets = document === undefined ? [] : scopeFilesIn(document).flatMap((scope) => scope.rulesets);
  const saved = groupBy(
    rulesets.flatMap(({ address, rules }) =>
      rules.map(({ value }) => ({ ruleset: addressKey(address), rule: value })),
    ),
    keyOf,
  );
  return (one) =>
    saved
      .get(keyOf(one))
      ?.some(({ rule }) => one.members.every((key) => jsonEqual(rule[key], one.rule[key]))) === true;
}

function keyOf({ ruleset, rule }: Pick<ReplacedRule, 'ruleset' | 'rule'>): string {
  return JSON.stringify([ruleset, rule['ref'], rule['id']]);
}

/** The text of a file in Git: staged, or else committed; empty for a file that Git does not know. */
type SavedText =
  | { readonly kind: 'told'; readonly text: string }
  /** Git cannot tell, so the file must not be taken as saved. */
  | { readonly kind: 'untold'; readonly reason: string; readonly hint: string };

/** Looks up the text of a file that Git could restore; `untold` without Git, or outside of a work tree. */
async function savedText(root: string, path: string): Promise<SavedText> {
  // Git stores the target path of a link, not the content behind it.
  const file = await realpath(join(root, path)).catch(() => join(root, path));
  const folder = dirname(file);
  try {
    await gitText(folder, ['rev-parse', '--show-toplevel']);
  } catch (error) {
    const { reason, hint = COMMIT } = gitFailure(error);
    return { kind: 'untold', reason: plainReason(reason), hint };
  }
  const text = await gitText(folder, ['cat-file', 'blob', `:./${basename(file)}`]).catch(() => '');
  return { kind: 'told', text };
}

/** Shortens Git's message, which goes on with where it has looked; messages in other languages stay as they are. */
function plainReason(reason: string): string {
  return reason.startsWith('not a git repository') ? 'not in a Git repository' : reason || 'Git has failed';
}

const COMMIT = 'put the files into a Git repository (git init), and commit them first';
