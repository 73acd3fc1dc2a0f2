import { param } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { empty, rendered, result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { attempt, decline, Refusal, refuse } from '../protocol/refusal.ts';
import type { Service } from '../call/service.ts';
import { getEntryPoint } from './entry-point.ts';
import { referrerOf } from './references.ts';
import { isEntryPoint, latest } from '../records/ruleset.ts';
import type { RulesetVersion, StoredRuleset } from '../records/ruleset.ts';
import { findRuleset, findWritable } from './visible.ts';

/** GET versions: ascending, without rules. */
export function listVersions(call: ScopedCall): Answer {
  return showVersions(call.service, findRuleset(call, param(call, 'ruleset')));
}

/** GET versions of an entry point; a missing entry point has none (api.md 0.3 number 12). */
export function listEntryPointVersions(call: ScopedCall): Answer {
  const ruleset = attempt(() => getEntryPoint(call));
  if (!(ruleset instanceof Refusal)) {
    return showVersions(call.service, ruleset);
  }
  return ruleset.status === 404 ? result([]) : decline(ruleset);
}

/** GET one version with its rules. */
export function getVersion(call: ScopedCall): Answer {
  return showVersion(call, findRuleset(call, param(call, 'ruleset')));
}

/** GET one version of an entry point. */
export function getEntryPointVersion(call: ScopedCall): Answer {
  return showVersion(call, getEntryPoint(call));
}

/** GET the rules with a tag in a version of a managed ruleset (api.md 2.1 number 9); none for an unknown tag. */
export function listByTag(call: ScopedCall): Answer {
  const ruleset = findRuleset(call, param(call, 'ruleset'));
  const version = findVersion(ruleset, param(call, 'version'));
  const tag = param(call, 'tag');
  const rules = version.rules.filter((rule) => rule.categories?.includes(tag) === true);
  return rendered(call.service.render.full(ruleset, { ...version, rules }));
}

/** DELETE one version, unless it is the only one or the one in use (api.md 6.2). */
export function deleteVersion(call: ScopedCall): Answer {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  const version = findVersion(ruleset, param(call, 'version'));
  const reason = neededBecause(call.service, ruleset, version);
  if (reason !== undefined) {
    throw refuse(400, `version ${version.version} cannot be deleted because ${reason}`);
  }
  const versions = ruleset.versions.filter((other) => other !== version);
  call.service.store.rulesets.set(ruleset.id, { ...ruleset, versions });
  return empty();
}

function neededBecause(
  service: Service,
  ruleset: StoredRuleset,
  version: RulesetVersion,
): string | undefined {
  if (ruleset.versions.length === 1) {
    return 'it is the only version of the ruleset';
  }
  if (version !== latest(ruleset)) {
    return undefined;
  }
  // An entry point is in use by itself (assumed).
  return isEntryPoint(ruleset) || referrerOf(service.store, ruleset) !== undefined
    ? 'it is the latest version of a ruleset in use'
    : undefined;
}

function showVersions(service: Service, ruleset: StoredRuleset): Answer {
  return result(ruleset.versions.map((version) => service.render.summary(ruleset, version)));
}

function showVersion(call: ScopedCall, ruleset: StoredRuleset): Answer {
  return rendered(call.service.render.full(ruleset, findVersion(ruleset, param(call, 'version'))));
}

function findVersion(ruleset: StoredRuleset, name: string): RulesetVersion {
  return (
    ruleset.versions.find((version) => version.version === name) ??
    decline(refuse(404, `could not find ruleset version ${name}`))
  );
}
