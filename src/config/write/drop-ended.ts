import type { SourceText } from '../source/source-text.ts';
import { scopeFilesIn } from '../project/scope-file.ts';
import type { DeclaredRuleset } from '../project/scope-file.ts';
import { hasEnded, windowOf } from '../project/rule-window.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { ItemEdit, RulesetEdit } from './desired-file.ts';
import { editedRulesets } from './edit-file.ts';
import { listOf } from '../../data/index.ts';

/** When rules count as ended. */
interface EndOptions {
  readonly timeZone: string;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/**
 * Returns the text of a zone or account file without the rules and uses of packs that have ended in all its scopes, with all else as it is. Rules
 * inside of packs stay, and where the text cannot be edited safely, and that of other files, stays too.
 */
export function dropEnded(source: SourceText, options: EndOptions): string {
  const { document } = parseYaml(source);
  const files = document === undefined ? [] : scopeFilesIn(document);
  const edits = (files[0]?.rulesets ?? []).flatMap((ruleset, index) =>
    editOf(
      files.flatMap(({ rulesets }) => rulesets[index] ?? []),
      ruleset,
      options,
    ),
  );
  return document === undefined || edits.length === 0 ? source.text : editedRulesets(document, edits).text;
}

function editOf(
  inScopes: readonly DeclaredRuleset[],
  ruleset: DeclaredRuleset,
  { timeZone, today }: EndOptions,
): readonly RulesetEdit[] {
  const ended = new Set(
    ruleset.rules
      .filter((rule) => inScopes.every((one) => hasEnded(windowOf(one, rule, timeZone), today)))
      .map(({ path }) => path.at(-1)),
  );
  const items = [...listOf(ruleset.value['rules']).keys()].flatMap((index): readonly ItemEdit[] =>
    ended.has(index) ? [] : [{ kind: 'keep', index }],
  );
  return ended.size === 0 ? [] : [{ kind: 'edit', ruleset, items }];
}
