import { scopeFilesIn } from '../../config/project/scope-file.ts';
import type { DeclaredRule } from '../../config/project/scope-file.ts';
import { sourceText } from '../../config/source-text.ts';
import type { RulesetEdit } from '../../config/write/desired-file.ts';
import { parseYaml } from '../../config/yaml/parse-yaml.ts';
import { RulewrightError } from '../../model/error.ts';
import { groupBy } from '../../model/group-by.ts';
import { jsonEqual, objectOf } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { addressKey } from '../../model/ruleset.ts';
import { someNames } from '../../model/some-names.ts';
import { savedText } from '../project/saved-text.ts';
import type { SensitiveNames } from './sensitive.ts';

/** A rule of a file that an import takes out, or of which it replaces members: those are no longer in the file. */
export interface Replaced {
  readonly file: string;
  /** The ruleset, as files call it. */
  readonly ruleset: string;
  readonly rule: JsonObject;
  readonly members: readonly string[];
  /** The rule and where it stands, for people. */
  readonly name: string;
}

/** What an edit of a ruleset takes out of its file. What makes room for a sensitive value must not be kept. */
export function replacedBy(
  edit: RulesetEdit,
  {
    nameOf,
    sensitive,
  }: { readonly nameOf: (rule: DeclaredRule) => string; readonly sensitive: SensitiveNames },
): readonly Replaced[] {
  const { address, document, rules } = edit.ruleset;
  const items = edit.kind === 'edit' ? edit.items : [];
  return rules.flatMap((rule, index) => {
    const item = items.find((one) => one.kind !== 'insert' && one.index === index);
    const wanted = item === undefined ? {} : item.kind === 'edit' ? objectOf(item.wanted) : rule.value;
    const members = Object.keys(rule.value).filter(
      (key) =>
        !jsonEqual(rule.value[key], wanted[key]) && !comesToName(wanted[key], rule.value[key], sensitive),
    );
    return members.length === 0
      ? []
      : [
          {
            file: document.source.path,
            ruleset: addressKey(address),
            rule: rule.value,
            members,
            name: nameOf(rule),
          },
        ];
  });
}

function comesToName(
  wanted: JsonValue | undefined,
  value: JsonValue | undefined,
  sensitive: SensitiveNames,
): boolean {
  const count = (one: JsonValue | undefined): number =>
    [...sensitive.values()].filter((name) => JSON.stringify(one ?? null).includes(`\${${name}}`)).length;
  return count(wanted) > count(value);
}

/** Throws `import/unsaved` where an import takes something out of files that Git does not have: nobody could bring it back. */
export async function requireSaved(root: string, replaced: readonly Replaced[]): Promise<void> {
  const lost: string[] = [];
  for (const [file, all] of groupBy(replaced, (one) => one.file)) {
    const saved = await savedText(root, file);
    if (saved.kind === 'repository') {
      lost.push(...all.filter((one) => !has(saved.text, one)).map(({ name }) => name));
    }
  }
  if (lost.length > 0) {
    throw new RulewrightError(
      `the files differ from live, and Git does not have what they say: ${someNames(lost, MAX_NAMED)}`,
      {
        code: 'import/unsaved',
        fault: 'user',
        hint: 'commit it first; or put it aside with git stash, and merge it after the import with git stash pop; --discard loses it',
      },
    );
  }
}

const MAX_NAMED = 5;

/** Whether a file has a rule with the same members. */
function has(text: string, { file, ruleset, rule, members }: Replaced): boolean {
  const { document } = parseYaml(sourceText(file, text));
  const rules = document === undefined ? [] : scopeFilesIn(document).flatMap((scope) => scope.rulesets);
  return rules
    .filter(({ address }) => addressKey(address) === ruleset)
    .some((one) =>
      one.rules.some(({ value }) =>
        [...members, 'ref', 'id'].every((key) => jsonEqual(value[key], rule[key])),
      ),
    );
}
