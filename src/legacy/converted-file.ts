import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import {
  canonicalExpression,
  findProject,
  withBreaksOf,
  sourceText,
  applyEdits,
  readSource,
  addRuleset,
  ruleDocument,
  under,
  documentText,
  parseYaml,
} from '../config/index.ts';
import type { SourceText, AddedRuleset, FileNote } from '../config/index.ts';
import { exists, writeText } from '../files/index.ts';
import { declaredScopesOf, RulewrightError, causeText } from '../model/index.ts';
import { isJsonObject, jsonEqual, objectOf } from '../data/index.ts';
import type { JsonObject } from '../data/index.ts';
import type { LiveRule, RuleContent, RuleOwnership, Scope, DesiredScope } from '../model/index.ts';
import { writeOutput } from '../app/index.ts';

/** A rule in a file that a conversion writes: an existing live rule, or a new one with comments above it. */
export type FileRule =
  | { readonly kind: 'live'; readonly rule: LiveRule }
  | {
      readonly kind: 'new';
      readonly ref: string;
      readonly content: RuleContent;
      readonly comments: readonly string[];
    };

/** A phase as a conversion writes it. */
export interface ConvertedPhase {
  readonly phase: string;
  readonly rules: readonly FileRule[];
  /** Settings of the phase, written before its rules. */
  readonly settings?: JsonObject | undefined;
  /** Whether files declare the phase already: what lives is theirs to say, perhaps by a pack, and only new rules are written. */
  readonly declared: boolean;
}

/**
 * Returns the settings of a converted phase in a project that owns rules by pattern: the converted rules are ours, and every other
 * live rule stays out of the file, at its place. Undefined in a project that owns all rules.
 */
export function convertedSettings(
  ownership: RuleOwnership,
  pattern: string,
  place: 'first' | 'last',
): JsonObject | undefined {
  return ownership.kind === 'all'
    ? undefined
    : { ownership: { rules: [pattern] }, ...(place === 'first' ? { place } : {}) };
}

/** What a conversion writes: a zone file, and its phases one by one for a file that exists. */
export interface ConvertedFile {
  readonly yaml: string;
  readonly added: readonly AddedRuleset[];
}

/** The report of a converted zone, and the phases for an existing file; none where there is nothing to write. */
export interface ConvertedZone<Told> {
  readonly report: Told;
  readonly added: readonly AddedRuleset[];
}

/** Returns what to write for converted phases under one heading. Each comment becomes a single line, whatever its text contains. */
export function convertedFile(
  scope: Scope,
  { head, phases }: { readonly head: string; readonly phases: readonly ConvertedPhase[] },
): ConvertedFile {
  const added = phases.map((phase) => addedPhase(phase, head));
  const whole = {
    zone: scope.name,
    entrypoints: Object.fromEntries(added.map(({ address, value }) => [address.phase, value])),
  };
  const notes = added.flatMap((one) => under(['entrypoints', one.address.phase], one.notes));
  return { yaml: documentText(whole, notes, { head: [head, ''] }), added };
}

function addedPhase(converted: ConvertedPhase, title: string): AddedRuleset {
  const { phase, settings, declared } = converted;
  const rules =
    settings === undefined && !declared
      ? converted.rules
      : converted.rules.filter(({ kind }) => kind === 'new');
  const address = { kind: 'entrypoint', phase } as const;
  const made = rules.map((rule) => ruleDocument(liveForm(rule), { kind: 'zone', address }));
  const notes = rules.flatMap((rule, index): readonly FileNote[] => [
    ...(rule.kind === 'new' ? rule.comments : []).map(
      (text) => ({ path: ['rules', index], text, place: 'before' }) as const,
    ),
    ...under(['rules', index], made[index]?.notes ?? []),
  ]);
  return { address, value: { ...settings, rules: made.map((one) => one.value) }, notes, title };
}

/** Returns the rule to write: a new rule gets its condition in the style of files, a live one keeps its spelling, as after an import. */
function liveForm(rule: FileRule): LiveRule {
  if (rule.kind === 'live') {
    return rule.rule;
  }
  const { ref, content } = rule;
  return { id: '', ref, content: { ...content, expression: canonicalExpression(content.expression) } };
}

/** The file to write, and the scopes that the project already declares. */
export interface ConvertedTarget {
  readonly cwd: string;
  readonly path: string;
  readonly config?: string | undefined;
  readonly scopes: readonly DesiredScope[];
}

/**
 * Writes a new file, or adds the phases to an existing file of the zone and leaves everything else in it as it is. Throws
 * `convert/phase-claimed` if the phase of this zone is already declared, and `convert/file-exists` for a file that cannot take it.
 */
export async function writeConverted(
  { cwd, path, config, scopes }: ConvertedTarget,
  scope: Scope,
  { yaml, added }: ConvertedFile,
): Promise<void> {
  for (const { address } of added) {
    const claim = claimOf(scopes, scope, [address.phase]);
    if (claim !== null) {
      throw new RulewrightError(`${claim} declares ${address.phase} of ${scope.name} already`, {
        code: 'convert/phase-claimed',
        fault: 'user',
        hint: 'leave out --out, and put the printed rules among those of that file, where the report says; what it already has stays as it is',
      });
    }
  }
  const file = resolve(cwd, path);
  if (!(await exists(file))) {
    await writeOutput({ cwd, path, config }, `${await modeline(file, { cwd, config })}${yaml}`);
    return;
  }
  const read = await readSource(dirname(file), basename(file));
  if (read.kind === 'unread') {
    throw takesNothing(`${path} exists, and cannot be read: ${read.diagnostic.message}`);
  }
  let { source } = read;
  for (const one of added) {
    const after = withPhase(source, scope, one);
    if (after === undefined) {
      throw takesNothing(`${path} exists, and cannot take ${one.address.phase} of ${scope.name}`);
    }
    source = sourceText(source.path, after);
  }
  await writeText(file, source.text);
}

/** Returns the line by which an editor finds the schema of a new file; nothing outside of projects, where there is none. */
async function modeline(file: string, named: Pick<ConvertedTarget, 'cwd' | 'config'>): Promise<string> {
  const found = await findProject(named.config === undefined ? { cwd: dirname(file) } : named);
  const schema =
    found.kind === 'found'
      ? relative(dirname(file), join(found.root, '.rulewright', 'schemas', 'zone.schema.json'))
      : null;
  return schema === null ? '' : `# yaml-language-server: $schema=${schema.replaceAll(sep, '/')}\n`;
}

function takesNothing(message: string): RulewrightError {
  return new RulewrightError(message, {
    code: 'convert/file-exists',
    fault: 'user',
    hint: 'name a new file, or one of this zone alone, in block style, without that phase',
  });
}

/** Returns the file with the phase added; undefined if the file is not one of this zone alone, has the phase, or has no place for it. */
function withPhase(source: SourceText, scope: Scope, added: AddedRuleset): string | undefined {
  const { document } = parseYaml(source);
  if (document === undefined || !isJsonObject(document.value)) {
    return undefined;
  }
  const { zone, ownership, entrypoints = {} } = document.value;
  const { phase } = added.address;
  const isOfZone =
    typeof zone === 'string' && declaredScopesOf([{ scope: { kind: 'zone', name: zone } }], scope).length > 0;
  if (!isOfZone || objectOf(entrypoints)[phase] !== undefined) {
    return undefined;
  }
  // The phase was converted with the ownership of the project, which the file's own `ownership` must not change.
  const isOwn = 'ownership' in added.value || objectOf(ownership ?? null)['rules'] === undefined;
  const value = isOwn ? added.value : { ownership: { rules: 'all' }, ...added.value };
  const edits = addRuleset(document, { ...added, value });
  const text = edits === undefined ? undefined : withBreaksOf(source.text, applyEdits(source.text, edits));
  const made = text === undefined ? undefined : parseYaml(sourceText(source.path, text)).document;
  const wanted = { ...document.value, entrypoints: { ...objectOf(entrypoints), [phase]: value } };
  return made !== undefined && jsonEqual(made.value, wanted) ? text : undefined;
}

/** Returns where the project declares one of these phases of a zone (`file:line`); null if it declares none. */
export function claimOf(
  scopes: readonly DesiredScope[],
  scope: Scope,
  phases: readonly string[],
): string | null {
  const claim = declaredScopesOf(scopes, scope)
    .flatMap(({ rulesets }) => rulesets)
    .find(({ address }) => address.kind === 'entrypoint' && phases.includes(address.phase));
  return claim === undefined ? null : causeText(claim.cause);
}
