import {
  addRuleset,
  editedRulesets,
  refreshComments,
  lostComments,
  LIVE_ONLY,
  withLeftOut,
  withBreaksOf,
  applyEdits,
  sourceText,
  scopeFilesIn,
  parseYaml,
  locateKey,
} from '../../config/index.ts';
import type { RulesetEdit, YamlDocument } from '../../config/index.ts';
import type { WholeScope } from '../../live/index.ts';
import { leftOutText } from '../../report/index.ts';
import { phaseFacts, addressKey, causeText, startOf } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import { changedNames, placedName, removedRules, renamedRules, variablesGone } from './edited-rules.ts';
import type { ScopeFiles } from './scope-files.ts';
import { notesOf } from './written-rule.ts';
import { MAX_NAMED, updateRuleset } from './update-ruleset.ts';
import type { UpdateContext } from './update-ruleset.ts';
import type { DeclaredLive } from './scope-file-text.ts';
import { declares } from './declare-live.ts';
import { replacedBy } from './require-saved.ts';
import type { Replaced } from './require-saved.ts';

/** The result of updating the files of a scope. */
type Updated = Pick<
  ScopeFiles,
  'kind' | 'texts' | 'leftOut' | 'kept' | 'removed' | 'renamed' | 'dropped' | 'replaced'
>;

/** The texts of a scope's files while they are edited, and what is reported about the edits. */
interface Draft {
  readonly texts: Map<string, string>;
  readonly kept: string[];
  readonly removed: string[];
  readonly renamed: string[];
  readonly dropped: string[];
  readonly replaced: Replaced[];
}

/**
 * Updates the files of a scope to what is live. A ruleset whose plan is empty is not touched; in the others, only the rules and
 * fields that differ change. What the scope's own files cannot say stays, and is reported.
 */
export function updatedFiles(whole: WholeScope, context: UpdateContext): Updated {
  const { desired, declared, scopeFiles, nameRules } = context;
  const draft: Draft = {
    texts: new Map(scopeFiles.map(({ document: { source } }) => [source.path, source.text])),
    kept: [],
    removed: [],
    renamed: [],
    dropped: [],
    replaced: [],
  };
  const { texts, kept, removed, renamed, dropped, replaced } = draft;
  followRulesets(draft, whole, context);
  const own = addMissing(draft, context);
  // A ruleset that the files declare is not reported as left out: it equals live, or is kept with a reason.
  const leftOut = context.leftOut.filter((one) => !declares(desired, one));
  for (const [file, text] of texts) {
    const fresh = nameRules ? text : withFreshComments(file, text, declared);
    texts.set(file, withLeftOut(fresh, leftOut.map(leftOutText)));
  }
  const changed = scopeFiles.flatMap(({ document: { source } }) => {
    const text = withBreaksOf(source.text, texts.get(source.path) ?? source.text);
    return text === source.text ? [] : [[source.path, text] as const];
  });
  const made = [...changed, ...own];
  const kind = made.length > 0 ? 'changed' : kept.length > 0 ? 'differs' : 'unchanged';
  return { kind, texts: new Map(made), leftOut, kept, removed, renamed, dropped, replaced };
}

/** Edits the declared rulesets, all of a file together or, if that is impossible, one by one; reports which stay as they are. */
function followRulesets(
  { texts, kept, removed, renamed, dropped, replaced }: Draft,
  whole: WholeScope,
  context: UpdateContext,
): void {
  const edits = new Map<YamlDocument, RulesetEdit[]>();
  for (const ruleset of context.desired.rulesets) {
    const key = addressKey(ruleset.address);
    const update = updateRuleset(ruleset, whole, context);
    if (update.kind === 'kept') {
      kept.push(`${key}: ${update.reason}`);
    } else if (update.kind === 'edit') {
      const { document } = update.edit.ruleset;
      edits.set(document, [...(edits.get(document) ?? []), update.edit]);
      kept.push(...update.told.map((reason) => `${key}: ${reason}`));
    }
  }
  for (const [document, made] of edits) {
    const { text, stay } = editedRulesets(document, made);
    texts.set(document.source.path, text);
    kept.push(...stay.map((edit) => notEdited(edit)));
    const done = made.filter((edit) => !stay.includes(edit));
    removed.push(...done.flatMap((edit) => removedRules(edit)));
    renamed.push(...done.flatMap((edit) => renamedRules(edit)));
    dropped.push(...done.flatMap((edit) => variablesGone(edit)));
    dropped.push(...lostComments(document, text, done));
    replaced.push(
      ...done.flatMap((edit) =>
        replacedBy(edit, { nameOf: (rule) => placedName(edit, rule), sensitive: context.sensitive }),
      ),
    );
  }
}

/** Adds the undeclared rulesets to the first file of the scope; returns a new file if the scope has none. */
function addMissing(
  draft: Draft,
  { desired, declared, newFile }: UpdateContext,
): readonly (readonly [path: string, text: string])[] {
  const known = new Set(desired.rulesets.map(({ address }) => addressKey(address)));
  const missing = declared.filter(({ address }) => !known.has(addressKey(address)));
  const [first] = draft.texts.keys();
  if (first === undefined) {
    return missing.length === 0 ? [] : [newFile(missing)];
  }
  for (const added of missing) {
    const text = withRuleset(first, draft.texts.get(first) ?? '', added);
    if (text === undefined) {
      draft.kept.push(notInPlace(addressKey(added.address), first));
    } else {
      draft.texts.set(first, text);
    }
  }
  return [];
}

function notInPlace(key: string, file: string): string {
  return `${key}: ${file} is written in a way that cannot be edited in place; block style can, one key a line`;
}

/** Tells which rules of a file stay as they are although live differs, and where. */
function notEdited(edit: RulesetEdit): string {
  const { address, document, path } = edit.ruleset;
  const at = locateKey(document, [...path, ...(edit.kind === 'edit' ? ['rules'] : [])]);
  const names = edit.kind === 'edit' ? changedNames(edit) : [];
  const rules = names.length === 0 ? '' : `; live has otherwise: ${someNames(names, MAX_NAMED)}`;
  return notInPlace(addressKey(address), causeText(startOf(at))) + rules;
}

/** Updates the comments of a file about fields that only live has. */
function withFreshComments(file: string, text: string, declared: readonly DeclaredLive[]): string {
  const { document } = text.includes(LIVE_ONLY) ? parseYaml(sourceText(file, text)) : {};
  const rulesets = document === undefined ? [] : (scopeFilesIn(document)[0]?.rulesets ?? []);
  const edits = rulesets.flatMap((ruleset) => {
    const live = declared.find(({ address }) => addressKey(address) === addressKey(ruleset.address));
    return live === undefined ? [] : refreshComments(ruleset, (ref) => notesOf(live, ref));
  });
  return applyEdits(text, edits);
}

/** Adds one ruleset to a text, parsed anew because the rulesets added before have changed it; undefined if it cannot be edited in place. */
function withRuleset(file: string, text: string, added: DeclaredLive): string | undefined {
  const { document } = parseYaml(sourceText(file, text));
  const title = added.address.kind === 'entrypoint' ? (phaseFacts(added.address.phase)?.product ?? '') : '';
  const edits = document === undefined ? undefined : addRuleset(document, { ...added, title });
  return edits === undefined ? undefined : applyEdits(text, edits);
}
