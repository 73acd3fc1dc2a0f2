import { expect } from 'vitest';
import { importedFiles } from '../../src/app/import/imported-files.ts';
import type { ScopeFiles } from '../../src/app/import/scope-files.ts';
import type { WholeScope } from '../../src/live/read-whole-scope.ts';
import type { RuleContent } from '../../src/model/rule.ts';
import { id, liveRule, liveRuleset } from '../plan/build.ts';
import { projectWith } from './project-with.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;
/** The file that declares the zone. */
export const FILE = 'zones/shop.yaml';

/** A zone whose live custom rules are these; each needs a ref. */
export function live(...rules: readonly (Partial<RuleContent> & { readonly ref: string })[]): WholeScope {
  const made = rules.map((rule, at) => liveRule(at + 1, { action: 'log', expression: 'ssl', ...rule }));
  return { scope: SCOPE, rulesets: [liveRuleset(made)], unsure: [], catalogue: [] };
}

/** Imports a live zone over the text of its file, in a project with at most one pack. */
export async function follow(text: string, whole: WholeScope, pack?: string): Promise<ScopeFiles> {
  const destination = projectWith(FILE, text, pack);
  const [declared] = destination.project.scopes;
  return importedFiles(whole, {
    destination,
    wanted: {
      kind: 'found',
      scope: SCOPE,
      name: SCOPE.name,
      ...(declared === undefined ? {} : { declared }),
    },
    names: new Map(),
    sensitive: [],
    nameRules: false,
    unmanaged: true,
  });
}

/** The same live rulesets, moved to another phase. */
export function inPhase(whole: WholeScope, phase: string): WholeScope {
  return { ...whole, rulesets: whole.rulesets.map((one) => ({ ...one, phase })) };
}

/** The rules of the file after an import; checks that a second import changes nothing. */
export async function rulesAfter(rules: string, whole: WholeScope): Promise<string> {
  const head = `zone: shop.example\nentrypoints:\n  ${whole.rulesets[0]?.phase}:\n    rules:\n`;
  const { texts, kept } = await follow(head + rules, whole);
  expect(kept).toEqual([]);
  const text = texts.get(FILE) ?? '';
  expect(await follow(text, whole)).toMatchObject({ kind: 'unchanged' });
  return text.replace(head, '');
}
