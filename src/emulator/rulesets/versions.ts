import type { ScopedCall } from '../call.ts';
import { type Answer, empty, rendered, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import type { Service } from '../service.ts';
import { getEntryPoint } from './entry-point.ts';
import { versionNeeded, versionNotFound } from './errors.ts';
import { userOf } from './references.ts';
import { isEntryPoint, latest, type RulesetVersion, type StoredRuleset } from './ruleset.ts';
import { findRuleset, findWritable, param } from './visible.ts';

/** GET versions: ascending, without rules. */
export function listVersions(call: ScopedCall): Answer | Refusal {
  const ruleset = findRuleset(call, param(call, 'ruleset'));
  return isRefusal(ruleset) ? ruleset : showVersions(call.service, ruleset);
}

/** GET versions of an entry point; a missing one has none (api.md 0.3 number 12). */
export function listEntryPointVersions(call: ScopedCall): Answer | Refusal {
  const ruleset = getEntryPoint(call);
  if (isRefusal(ruleset)) {
    return ruleset.status === 404 ? result([]) : ruleset;
  }
  return showVersions(call.service, ruleset);
}

/** GET one version with its rules. */
export function getVersion(call: ScopedCall): Answer | Refusal {
  return showVersion(call, findRuleset(call, param(call, 'ruleset')));
}

/** GET one version of an entry point. */
export function getEntryPointVersion(call: ScopedCall): Answer | Refusal {
  return showVersion(call, getEntryPoint(call));
}

/** GET the rules of a managed ruleset's version that carry a tag (api.md 2.1 number 9); an unknown tag has none. */
export function listByTag(call: ScopedCall): Answer | Refusal {
  const ruleset = findRuleset(call, param(call, 'ruleset'));
  if (isRefusal(ruleset)) {
    return ruleset;
  }
  const version = findVersion(ruleset, param(call, 'version'));
  if (isRefusal(version)) {
    return version;
  }
  const tag = param(call, 'tag');
  const rules = version.rules.filter((rule) => rule.categories?.includes(tag) === true);
  return rendered(call.service.render.full(ruleset, { ...version, rules }));
}

/** DELETE one version, unless it is the only one or the one in use (api.md 6.2). */
export function deleteVersion(call: ScopedCall): Answer | Refusal {
  const ruleset = findWritable(call, param(call, 'ruleset'));
  if (isRefusal(ruleset)) {
    return ruleset;
  }
  const version = findVersion(ruleset, param(call, 'version'));
  if (isRefusal(version)) {
    return version;
  }
  const reason = neededBecause(call.service, ruleset, version);
  if (reason !== undefined) {
    return versionNeeded(version.version, reason);
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
  // An entry point is in use by being one (assumed).
  return isEntryPoint(ruleset) || userOf(service.store, ruleset) !== undefined
    ? 'it is the latest version of a ruleset in use'
    : undefined;
}

function showVersions(service: Service, ruleset: StoredRuleset): Answer {
  return result(ruleset.versions.map((version) => service.render.summary(ruleset, version)));
}

function showVersion(call: ScopedCall, ruleset: StoredRuleset | Refusal): Answer | Refusal {
  if (isRefusal(ruleset)) {
    return ruleset;
  }
  const version = findVersion(ruleset, param(call, 'version'));
  return isRefusal(version) ? version : rendered(call.service.render.full(ruleset, version));
}

function findVersion(ruleset: StoredRuleset, name: string): RulesetVersion | Refusal {
  return ruleset.versions.find((version) => version.version === name) ?? versionNotFound(name);
}
