import type { SourceText } from '../source/source-text.ts';
import { scopeFilesIn } from '../project/scope-file.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { hasEnded, windowOf } from '../project/rule-window.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { locateKey } from '../yaml/yaml-document.ts';
import type { ItemEdit, RulesetEdit } from './desired-file.ts';
import { editedRulesets } from './edit-file.ts';
import { listOf } from '../../data/index.ts';

/** When rules count as ended. */
interface EndOptions {
  readonly timeZone: string;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** A rule, or a use of a pack, that has ended. */
export interface EndedEntry {
  /** The rule's `ref`, or the name of the pack; absent where it has none. */
  readonly name?: string;
  readonly line: number;
  readonly owner?: string;
}

/** A text without what has ended. */
interface WithoutEnded {
  readonly text: string;
  readonly ended: readonly EndedEntry[];
}

/**
 * Returns the text of a zone or account file without the rules and uses of packs that have ended in all its scopes, with all else as it is. Rules
 * inside of packs and those whose end is a variable stay, and where the text cannot be edited safely, and that of other files, stays too.
 */
export function dropEnded(source: SourceText, options: EndOptions): WithoutEnded {
  const { document } = parseYaml(source);
  const files = document === undefined ? [] : scopeFilesIn(document);
  const edits = (files[0]?.rulesets ?? []).flatMap((ruleset, index) =>
    editOf(
      files.flatMap(({ rulesets }) => rulesets[index] ?? []),
      ruleset,
      options,
    ),
  );
  if (document === undefined || edits.length === 0) {
    return { text: source.text, ended: [] };
  }
  const { text } = editedRulesets(
    document,
    edits.map(({ edit }) => edit),
  );
  return { text, ended: text === source.text ? [] : edits.flatMap(({ ended }) => ended) };
}

interface EndedRules {
  readonly edit: RulesetEdit;
  readonly ended: readonly EndedEntry[];
}

function editOf(
  inScopes: readonly DeclaredRuleset[],
  ruleset: DeclaredRuleset,
  { timeZone, today }: EndOptions,
): readonly EndedRules[] {
  const over = ruleset.rules.filter((rule) =>
    inScopes.every((one) => hasEnded(windowOf(one, rule, timeZone), today)),
  );
  const gone = new Set(over.map(({ path }) => path.at(-1)));
  const items = [...listOf(ruleset.value['rules']).keys()].flatMap((index): readonly ItemEdit[] =>
    gone.has(index) ? [] : [{ kind: 'keep', index }],
  );
  return over.length === 0
    ? []
    : [{ edit: { kind: 'edit', ruleset, items }, ended: over.map((rule) => entryOf(ruleset, rule)) }];
}

function entryOf({ document }: DeclaredRuleset, { path, value }: DeclaredRule): EndedEntry {
  const name = value['ref'] ?? value['use'];
  const { owner } = value;
  return {
    ...(typeof name === 'string' ? { name } : {}),
    line: locateKey(document, path).start.line,
    ...(typeof owner === 'string' ? { owner } : {}),
  };
}
