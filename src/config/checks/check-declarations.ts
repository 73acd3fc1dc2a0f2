import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourceSpan } from '../../model/source.ts';
import { formatPlace } from '../../model/source.ts';
import { isJsonObject } from '../../model/json.ts';
import { slug } from '../../model/slug.ts';
import { finding } from '../finding.ts';
import type { ScopeGroup } from '../project/desired-scope.ts';
import type { DeclaredRuleset } from '../project/scope-file.ts';
import { locateValue } from '../yaml/yaml-document.ts';

/** Rulesets that a scope declares more than once, and settings on which its files disagree. */
export function checkDeclarations(group: ScopeGroup): readonly Diagnostic[] {
  const first = new Map<string, DeclaredRuleset>();
  const slugs = new Map<string, DeclaredRuleset>();
  const findings = group.files
    .flatMap(({ rulesets }) => rulesets)
    .flatMap((ruleset) => {
      const { address } = ruleset;
      const key = address.kind === 'entrypoint' ? address.phase : `${address.phase}/${address.name}`;
      const same = first.get(`${address.kind}:${key}`);
      if (same !== undefined) {
        return [declaredTwice(ruleset, same)];
      }
      first.set(`${address.kind}:${key}`, ruleset);
      return address.kind === 'custom' ? slugCollision(ruleset, address.name, slugs) : [];
    });
  return [...findings, ...conflictingSettings(group)];
}

function declaredTwice(ruleset: DeclaredRuleset, first: DeclaredRuleset): Diagnostic {
  const { address, where } = ruleset;
  const hint = `the first one stands at ${formatPlace(first.where)}; put all its rules in one place`;
  return address.kind === 'entrypoint'
    ? finding('config/duplicate-entrypoint', {
        message: `the entry point of ${address.phase} is declared twice for ${ruleset.scope.kind} ${ruleset.scope.name}`,
        hint,
        where,
      })
    : finding('config/duplicate-ruleset', {
        message: `the custom ruleset "${address.name}" of ${address.phase} is declared twice for ${ruleset.scope.kind} ${ruleset.scope.name}`,
        hint,
        where,
      });
}

/** `custom:<slug>` has to mean one ruleset of a phase. */
function slugCollision(
  ruleset: DeclaredRuleset,
  name: string,
  slugs: Map<string, DeclaredRuleset>,
): readonly Diagnostic[] {
  const short = slug(name);
  const key = `${ruleset.address.phase}/${short}`;
  const other = slugs.get(key);
  if (short === '') {
    return [
      finding('config/slug-collision', {
        message: `the name "${name}" has no slug: it holds neither a Latin letter nor a digit`,
        hint: 'add a word of Latin letters to the name, so that `custom:<slug>` can refer to it',
        where: ruleset.where,
      }),
    ];
  }
  if (other === undefined) {
    slugs.set(key, ruleset);
    return [];
  }
  return [
    finding('config/slug-collision', {
      message: `the name "${name}" has the slug \`${short}\`, which another custom ruleset of this phase has`,
      hint: `the other one stands at ${formatPlace(other.where)}; choose a name that differs in letters or digits`,
      where: ruleset.where,
    }),
  ];
}

/** Each file may say these for the whole scope; what two say must agree. */
const SCOPE_SETTINGS = [['token_env'], ['ownership', 'rulesets']] as const;

function conflictingSettings(group: ScopeGroup): readonly Diagnostic[] {
  return SCOPE_SETTINGS.flatMap((path) => {
    const said = group.files.flatMap(({ document, value }) => {
      const holder = path.length === 1 ? value : value[path[0]];
      const text = isJsonObject(holder) ? holder[path.at(-1) ?? ''] : undefined;
      return typeof text === 'string' ? [{ text, where: locateValue(document, path) }] : [];
    });
    const [first] = said;
    return said.flatMap(({ text, where }) =>
      first === undefined || text === first.text ? [] : [conflict(path.join('.'), where, first)],
    );
  });
}

function conflict(
  key: string,
  where: SourceSpan,
  first: { readonly text: string; readonly where: SourceSpan },
): Diagnostic {
  return finding('config/scope-setting-conflict', {
    message: `\`${key}\` differs between the files of this scope`,
    hint: `it is \`${first.text}\` at ${formatPlace(first.where)}; say it once`,
    where,
  });
}
