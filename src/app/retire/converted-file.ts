import { resolve } from 'node:path';
import { ruleDocument } from '../../config/write/rule-document.ts';
import { under } from '../../config/write/ruleset-yaml.ts';
import { documentText } from '../../config/write/scope-text.ts';
import type { FileNote } from '../../config/write/scope-text.ts';
import { exists } from '../../files/missing.ts';
import { declaredScopesOf } from '../../model/declared-scope.ts';
import { RulewrightError } from '../../model/error.ts';
import type { JsonObject } from '../../model/json.ts';
import type { LiveRule, RuleContent } from '../../model/rule.ts';
import type { RuleOwnership } from '../../model/ruleset.ts';
import { causeText } from '../../model/source.ts';
import type { Scope } from '../../model/scope.ts';
import type { DesiredScope } from '../../model/state.ts';
import { writeOutput } from '../project/write-output.ts';

/** A rule of a file that a conversion writes: one that lives already, or one that is new; with words above it. */
export type FileRule =
  | { readonly kind: 'live'; readonly rule: LiveRule }
  | {
      readonly kind: 'new';
      readonly ref: string;
      readonly content: RuleContent;
      readonly comments: readonly string[];
    };

/** What a conversion writes of a phase. */
export interface ConvertedPhase {
  readonly phase: string;
  readonly rules: readonly FileRule[];
  readonly head: string;
  /** What the phase says of itself, before its rules. */
  readonly settings?: JsonObject | undefined;
}

/**
 * What a converted phase says of itself in a project that owns rules by pattern: the converted ones are ours, and every
 * other live rule stays out of the file, where it is.
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

/** A zone file with one phase. Comments are made of single lines, whatever stands in them. */
export function convertedYaml(scope: Scope, converted: ConvertedPhase): string {
  const { phase, head, settings } = converted;
  const rules =
    settings === undefined ? converted.rules : converted.rules.filter(({ kind }) => kind === 'new');
  const address = { kind: 'entrypoint', phase } as const;
  const path = ['entrypoints', phase, 'rules'];
  const made = rules.map((rule) => ruleDocument(liveForm(rule), { kind: 'zone', address }));
  const notes = rules.flatMap((rule, index): readonly FileNote[] => [
    ...(rule.kind === 'new' ? rule.comments : []).map(
      (text) => ({ path: [...path, index], text, place: 'before' }) as const,
    ),
    ...under([...path, index], made[index]?.notes ?? []),
  ]);
  const value = {
    zone: scope.name,
    entrypoints: { [phase]: { ...settings, rules: made.map((one) => one.value) } },
  };
  return documentText(value, notes, { head: [head, ''] });
}

function liveForm(rule: FileRule): LiveRule {
  return rule.kind === 'live' ? rule.rule : { id: '', ref: rule.ref, content: rule.content };
}

/** Where a file goes, and the scopes that the project declares already. */
export interface ConvertedTarget {
  readonly cwd: string;
  readonly path: string;
  readonly config?: string | undefined;
  readonly scopes: readonly DesiredScope[];
}

/**
 * Writes a new file. Throws `convert/phase-claimed` where a file of the project declares the phase of this zone
 * already, since two files cannot, and `convert/file-exists` for a file that is there.
 */
export async function writeConverted(
  { cwd, path, config, scopes }: ConvertedTarget,
  { scope, phase, yaml }: { readonly scope: Scope; readonly phase: string; readonly yaml: string },
): Promise<void> {
  const claim = claimOf(scopes, scope, phase);
  const isAgain = claim?.startsWith(`${path}:`) === true;
  if (claim !== null && !isAgain) {
    throw new RulewrightError(
      `${claim} declares ${phase} of ${scope.name} already, and ${path} would as well`,
      {
        code: 'convert/phase-claimed',
        fault: 'user',
        hint: 'leave out --out, and put the printed rules into that file; what it already has stays as it is',
      },
    );
  }
  if (await exists(resolve(cwd, path))) {
    throw new RulewrightError(`${path} exists, and a conversion replaces nothing`, {
      code: 'convert/file-exists',
      fault: 'user',
      hint: isAgain
        ? 'leave out --out to see what it would be now, or remove the file to convert again'
        : 'name a new file, or remove this one',
    });
  }
  await writeOutput({ cwd, path, config }, yaml);
}

/** Where the project declares a phase of a zone: `file:line`; null where it does not. */
export function claimOf(scopes: readonly DesiredScope[], scope: Scope, phase: string): string | null {
  const claim = declaredScopesOf(scopes, scope)
    .flatMap(({ rulesets }) => rulesets)
    .find(({ address }) => address.kind === 'entrypoint' && address.phase === phase);
  return claim === undefined ? null : causeText(claim.cause);
}
