import { addRuleset, editRuleset, removeRuleset, withRulesInBlocks } from '../config/write/edit-file.ts';
import { refreshComments } from '../config/write/edit-comments.ts';
import { LIVE_ONLY } from '../config/write/rule-document.ts';
import { withLeftOut } from '../config/write/left-out.ts';
import { applyEdits } from '../config/fix/edit-scalar.ts';
import type { TextEdit } from '../config/fix/edit-scalar.ts';
import { readScopeFile } from '../config/project/scope-file.ts';
import type { DeclaredRuleset } from '../config/project/scope-file.ts';
import { sourceText } from '../config/source-text.ts';
import { parseYaml } from '../config/yaml/parse-yaml.ts';
import type { WholeScope } from '../live/read-whole-scope.ts';
import { leftOutText } from '../report/import-text.ts';
import { phaseFacts } from '../model/phase.ts';
import type { RulesetAddress } from '../model/ruleset.ts';
import { addressKey } from '../plan/plan-scope.ts';
import type { ScopeFiles } from './import-files.ts';
import { notesOf, updateRuleset } from './import-follow.ts';
import type { RulesetUpdate, UpdateContext } from './import-follow.ts';
import type { DeclaredLive } from './import-scope.ts';
import { declares } from './import-scope.ts';

/** What an update makes of the files of a scope. */
type Updated = Pick<ScopeFiles, 'kind' | 'texts' | 'leftOut' | 'kept'>;

/**
 * Brings the files of a scope up to date with what is live. A ruleset of which a plan is empty is not touched; of the others only
 * the rules and fields that differ are. What cannot be said in the scope's own files stays, and is told.
 */
export function updatedFiles(whole: WholeScope, context: UpdateContext): Updated {
  const { desired, declared, scopeFiles } = context;
  const texts = new Map(scopeFiles.map(({ document: { source } }) => [source.path, source.text]));
  const edits = new Map<string, TextEdit[]>();
  const kept: string[] = [];
  const gone: { readonly file: string; readonly address: RulesetAddress }[] = [];
  const inFlow: Extract<RulesetUpdate, { readonly kind: 'edit' }>[] = [];
  for (const ruleset of desired.rulesets) {
    const key = addressKey(ruleset.address);
    const update = updateRuleset(ruleset, whole, context);
    if (update.kind === 'kept') {
      kept.push(`${key}: ${update.reason}`);
    } else if (update.kind === 'remove') {
      gone.push({ file: update.file, address: ruleset.address });
    } else if (update.kind === 'edit') {
      const file = update.declared.document.source.path;
      if (withRulesInBlocks(update.declared) !== undefined) {
        inFlow.push(update);
        continue;
      }
      const made = editRuleset({ ...update, ruleset: update.declared });
      if (made === undefined) {
        kept.push(notInPlace(key, file));
      } else {
        edits.set(file, [...(edits.get(file) ?? []), ...made]);
        kept.push(...update.told.map((reason) => `${key}: ${reason}`));
      }
    }
  }
  for (const [file, made] of edits) {
    texts.set(file, applyEdits(texts.get(file) ?? '', made));
  }
  for (const update of inFlow) {
    const { address, document } = update.declared;
    const { path } = document.source;
    const text = fromFlow(path, texts.get(path) ?? '', update);
    if (text === undefined) {
      kept.push(notInPlace(addressKey(address), path));
    } else {
      texts.set(path, text);
      kept.push(...update.told.map((reason) => `${addressKey(address)}: ${reason}`));
    }
  }
  for (const { file, address } of gone) {
    const text = withoutRuleset(file, texts.get(file) ?? '', address);
    if (text === undefined) {
      kept.push(notInPlace(addressKey(address), file));
    } else {
      texts.set(file, text);
    }
  }
  const known = new Set(desired.rulesets.map(({ address }) => addressKey(address)));
  const missing = declared.filter(({ address }) => !known.has(addressKey(address)));
  const [first] = texts.keys();
  const own = first === undefined && missing.length > 0 ? [context.newFile(missing)] : [];
  for (const added of missing) {
    const text = first === undefined ? undefined : withRuleset(first, texts.get(first) ?? '', added);
    if (first !== undefined && text !== undefined) {
      texts.set(first, text);
    } else if (first !== undefined) {
      kept.push(notInPlace(addressKey(added.address), first));
    }
  }
  // What the files declare is not left out: it is the same, or it is kept with a reason.
  const leftOut = context.leftOut.filter((one) => !declares(desired, one));
  for (const [file, text] of texts) {
    const fresh = context.nameRules ? text : withFreshComments(file, text, declared);
    texts.set(file, withLeftOut(fresh, leftOut.map(leftOutText)));
  }
  const changed = scopeFiles.flatMap(({ document: { source } }) => {
    const text = texts.get(source.path);
    return text === undefined || text === source.text ? [] : [[source.path, text] as const];
  });
  const made = [...changed, ...own];
  return { kind: made.length === 0 ? 'unchanged' : 'changed', texts: new Map(made), leftOut, kept };
}

/** A file with its comments about fields that only live has as those are now. */
function withFreshComments(file: string, text: string, declared: readonly DeclaredLive[]): string {
  const { document } = text.includes(LIVE_ONLY) ? parseYaml(sourceText(file, text)) : {};
  const rulesets = document === undefined ? [] : (readScopeFile(document).files[0]?.rulesets ?? []);
  const edits = rulesets.flatMap((ruleset) => {
    const live = declared.find(({ address }) => addressKey(address) === addressKey(ruleset.address));
    return live === undefined ? [] : refreshComments(ruleset, (ref) => notesOf(live, ref));
  });
  return applyEdits(text, edits);
}

function notInPlace(key: string, file: string): string {
  return `${key}: ${file} is written in a way that cannot be edited in place; block style can, one key a line`;
}

/** A file with one more ruleset: each goes into the text that the one before it left. */
function withRuleset(file: string, text: string, added: DeclaredLive): string | undefined {
  const { document } = parseYaml(sourceText(file, text));
  const title = added.address.kind === 'entrypoint' ? (phaseFacts(added.address.phase)?.product ?? '') : '';
  const edits = document === undefined ? undefined : addRuleset(document, { ...added, title });
  return edits === undefined ? undefined : applyEdits(text, edits);
}

/** A file with a ruleset that stood in braces or brackets: on lines of its own, and edited there. */
function fromFlow(
  file: string,
  text: string,
  update: Extract<RulesetUpdate, { readonly kind: 'edit' }>,
): string | undefined {
  const { address } = update.declared;
  const inFlow = declaredIn(file, text, address);
  const inBlocks = inFlow === undefined ? undefined : (withRulesInBlocks(inFlow) ?? text);
  const ruleset = inBlocks === undefined ? undefined : declaredIn(file, inBlocks, address);
  const edits = ruleset === undefined ? undefined : editRuleset({ ...update, ruleset });
  return inBlocks === undefined || edits === undefined ? undefined : applyEdits(inBlocks, edits);
}

function declaredIn(file: string, text: string, address: RulesetAddress): DeclaredRuleset | undefined {
  const { document } = parseYaml(sourceText(file, text));
  const declared = document === undefined ? undefined : readScopeFile(document).files[0]?.rulesets;
  return declared?.find((one) => addressKey(one.address) === addressKey(address));
}

/** A file without a custom ruleset; each goes out of the text that the one before it left. */
function withoutRuleset(file: string, text: string, address: RulesetAddress): string | undefined {
  const ruleset = declaredIn(file, text, address);
  const edits = ruleset === undefined ? undefined : removeRuleset(ruleset);
  return edits === undefined ? undefined : applyEdits(text, edits);
}
