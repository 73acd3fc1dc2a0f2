import { mayHoldToken, formatPlace } from '../../model/index.ts';
import type { Diagnostic, ScopeRef } from '../../model/index.ts';
import { slug } from '../../text/index.ts';
import { finding } from '../source/finding.ts';
import type { ScopeGroup, RulesetHead, ScopeSetting } from '../project/desired-scope.ts';
import { repeatsOf } from '../../data/index.ts';
import { checkZoneSettings } from './check-settings.ts';

/** Reports rulesets and settings that a scope declares more than once, names that share a slug, settings on which its files disagree, and foreign tokens. */
export function checkDeclarations(group: ScopeGroup): readonly Diagnostic[] {
  const first = new Map<string, RulesetHead>();
  const slugs = new Map<string, RulesetHead>();
  const findings = group.files
    .flatMap(({ heads }) => heads)
    .flatMap((ruleset) => {
      const { address } = ruleset;
      const key = address.kind === 'entrypoint' ? address.phase : `${address.phase}/${address.name}`;
      const same = first.get(`${address.kind}:${key}`);
      if (same !== undefined) {
        return [declaredTwice(group.scope, ruleset, same)];
      }
      first.set(`${address.kind}:${key}`, ruleset);
      return address.kind === 'custom' ? slugCollision(ruleset, address.name, slugs) : [];
    });
  return [
    ...findings,
    ...listsTwice(group),
    ...checkZoneSettings(group),
    ...conflictingSettings(group),
    ...foreignTokens(group),
  ];
}

function listsTwice({ files, scope }: ScopeGroup): readonly Diagnostic[] {
  return repeatsOf(
    files.flatMap(({ lists }) => lists),
    ({ name }) => name,
  ).repeats.map(({ item, first }) =>
    finding('config/duplicate-list', {
      message: `the list ${item.name} is declared twice for ${scope.kind} ${scope.name}`,
      hint: `the first one is at ${formatPlace(first.where)}; put all its items in one place`,
      where: item.where,
    }),
  );
}

/** Reports a `token_env` that names credentials of something else: its value would be sent to the service. */
function foreignTokens({ files }: ScopeGroup): readonly Diagnostic[] {
  return files
    .flatMap(({ settings }) => settings)
    .filter(({ key, text }) => key === 'token_env' && !mayHoldToken(text))
    .map(({ text, where }) =>
      finding('variable/secret', {
        message: `${text} holds no token of the service, and must not be sent to it`,
        hint: 'name the environment variable that holds the API token of this scope',
        where,
      }),
    );
}

function declaredTwice(scope: ScopeRef, ruleset: RulesetHead, first: RulesetHead): Diagnostic {
  const { address, where } = ruleset;
  const hint = `the first one is at ${formatPlace(first.where)}; put all its rules in one place`;
  return address.kind === 'entrypoint'
    ? finding('config/duplicate-entrypoint', {
        message: `the entry point of ${address.phase} is declared twice for ${scope.kind} ${scope.name}`,
        hint,
        where,
      })
    : finding('config/duplicate-ruleset', {
        message: `the custom ruleset ${JSON.stringify(address.name)} of ${address.phase} is declared twice for ${scope.kind} ${scope.name}`,
        hint,
        where,
      });
}

/** Reports a name whose slug is empty or already taken in its phase: `custom:<slug>` has to mean one ruleset. */
function slugCollision(
  ruleset: RulesetHead,
  name: string,
  slugs: Map<string, RulesetHead>,
): readonly Diagnostic[] {
  const short = slug(name);
  const key = `${ruleset.address.phase}/${short}`;
  const other = slugs.get(key);
  if (short === '') {
    return [
      finding('config/slug-collision', {
        message: `the name ${JSON.stringify(name)} has no slug: it holds neither a Latin letter nor a digit`,
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
      message: `the name ${JSON.stringify(name)} has the slug \`${short}\`, which another custom ruleset of this phase has`,
      hint: `the other one is at ${formatPlace(other.where)}; choose a name that differs in letters or digits`,
      where: ruleset.where,
    }),
  ];
}

/** Reports files that give one scope-wide setting different values. */
function conflictingSettings({ files }: ScopeGroup): readonly Diagnostic[] {
  const said = files.flatMap(({ settings }) => settings);
  return repeatsOf(said, ({ key }) => key)
    .repeats.filter(({ item, first }) => item.text !== first.text)
    .map(({ item, first }) => conflict(item, first));
}

function conflict({ key, where }: ScopeSetting, first: ScopeSetting): Diagnostic {
  return finding('config/scope-setting-conflict', {
    message: `\`${key}\` differs between the files of this scope`,
    hint: `it is \`${first.text}\` at ${formatPlace(first.where)}; say it once`,
    where,
  });
}
