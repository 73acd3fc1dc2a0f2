import pLimit from 'p-limit';
import type { ReadClient } from '../api/index.ts';
import { openReadClient, deleteVersionRequest, listVersions, isUncertain, orElse } from '../api/index.ts';
import { insisting } from '../apply/index.ts';
import { shownRuleset, RulewrightError } from '../model/index.ts';
import type {
  AllowedKinds,
  GuardFinding,
  LiveRule,
  LiveRuleset,
  LiveRulesetHead,
  Scope,
  VersionEntry,
  VersionList,
} from '../model/index.ts';
import {
  otherAccount,
  withoutAllowed,
  refusals,
  hideDescription,
  hideInRule,
  hideInVersion,
  versionChanges,
  withPast,
} from '../plan/index.ts';
import type { OnEvent } from './run/events.ts';
import type { FoundRuleset } from './planning/find-ruleset.ts';
import type { RulesetChoice } from './planning/ruleset-choice.ts';
import {
  hasSecrets,
  readVersion,
  requireOurs,
  rulesetThen,
  rulesetToday,
  VERSIONS_AT_ONCE,
  versionIfKept,
  withRuleset,
} from './planning/ruleset-choice.ts';
import { knowsPlaces, requireKnownPlaces } from './project/known-places.ts';
import { openWriting } from './service/open-writing.ts';
import type { ServiceOptions } from './service/service-options.ts';

export { rulesetYaml } from '../config/index.ts';

/** Lists the latest versions of a ruleset, at most `limit`, with the changes of each; takes a request for each but the live one. */
export function listRulesetVersions(
  choice: RulesetChoice & { readonly limit: number },
  options: ServiceOptions,
  report: OnEvent,
): Promise<VersionList> {
  return withRuleset(choice, { options, open: openReadClient, report }, async (found, client) => {
    const { scope, live } = found;
    const { rules: _rules, ...ruleset } = live;
    const kept = await listVersions(client, scope, live.id);
    const shown = kept.slice(-choice.limit);
    const older = kept.length - shown.length;
    const limit = pLimit(VERSIONS_AT_ONCE);
    const read = (head: LiveRulesetHead): Promise<LiveRuleset | null> =>
      head.version === live.version
        ? Promise.resolve(live)
        : limit(() => versionIfKept(client, { scope, live }, head.version));
    // The version before the oldest one shown is needed to tell what the oldest changed.
    const [earlier, ...whole] = await Promise.all([
      older === 0 ? null : read(kept[older - 1] ?? ruleset),
      ...shown.map(read),
    ]);
    const show = showing(choice, options, { found, whole: [earlier, ...whole] });
    const versions = shown.map((head, index): VersionEntry => {
      const [before, after] = [index === 0 ? earlier : (whole[index - 1] ?? null), whole[index] ?? null];
      return {
        ...head,
        description: show.description(head.description),
        rules: after === null ? null : after.rules.length,
        changes: before === null || after === null ? null : versionChanges(before, after, show.rule),
      };
    });
    return { scope, ruleset, versions, older };
  });
}

/** Functions that hide the secrets of an earlier version before it is shown. */
interface Showing {
  readonly rule: (rule: LiveRule) => LiveRule;
  readonly description: (text: string) => string;
}

/** A live ruleset, and those of its versions that were read, oldest first. */
interface ReadVersions {
  readonly found: FoundRuleset;
  readonly whole: readonly (LiveRuleset | null)[];
}

/** Hides former sensitive values; if it is unknown which texts held one, no description is shown. */
function showing(choice: RulesetChoice, options: ServiceOptions, { found, whole }: ReadVersions): Showing {
  if (!knowsPlaces(choice.guards, options.secrets)) {
    return {
      rule: (rule) => ({ ...rule, content: { ...rule.content, description: '' } }),
      description: () => '',
    };
  }
  const today = rulesetToday(choice, found);
  const known = hasSecrets(options.secrets)
    ? withPast(
        today,
        whole.filter((version) => version !== null),
      )
    : today;
  return {
    rule: (rule) => hideInRule(rule, known, 'show'),
    description: (text) => hideDescription(text, known, 'show'),
  };
}

/** Reads one version of a ruleset with its rules. Throws `sensitive/unknown-place` if it could show a former secret. */
export function showRulesetVersion(
  choice: RulesetChoice & { readonly version: string },
  options: ServiceOptions,
  report: OnEvent,
): Promise<FoundRuleset> {
  requireKnownPlaces(choice.guards, options.secrets);
  const { secrets } = options;
  return withRuleset(choice, { options, open: openReadClient, report }, async (found, client) => {
    const version = await readVersion(client, found, choice.version);
    const then = await rulesetThen(choice, found, { client, version, secrets });
    return { scope: found.scope, live: shownRuleset(hideInVersion(version, then, 'show')) };
  });
}

/** A version to delete, and the guard findings that refuse its deletion. */
export interface VersionToDelete {
  readonly scope: Scope;
  readonly live: LiveRuleset;
  /** Number of rules that are deleted with the version. */
  readonly rules: number;
  readonly refusals: readonly GuardFinding[];
}

/** The version to delete, and the guard kinds that are allowed. */
export type VersionDeletion = RulesetChoice & { readonly version: string; readonly allow: AllowedKinds };

/** Looks up a version to delete and asks the guards; writes nothing. Throws `versions/no-version` if it does not exist. */
export function findVersionToDelete(
  choice: VersionDeletion,
  options: ServiceOptions,
  report: OnEvent,
): Promise<VersionToDelete> {
  return withRuleset(choice, { options, open: openReadClient, report }, async (found, client) => {
    requireOurs(found.live);
    const { rules } = await readVersion(client, found, choice.version);
    return { ...found, rules: rules.length, refusals: deletionRefusals(choice, found.scope) };
  });
}

/**
 * Deletes one version of a ruleset for good. After an unknown outcome, checks whether the version is gone. Throws `versions/refused`
 * if a guard objects, and `versions/in-doubt` if the version may still be deleted.
 */
export function removeRulesetVersion(
  choice: VersionDeletion,
  options: ServiceOptions,
  report: OnEvent,
): Promise<FoundRuleset> {
  return withRuleset(choice, { options, open: openWriting, report }, async (found, client) => {
    requireOurs(found.live);
    const refused = deletionRefusals(choice, found.scope);
    if (refused.length > 0) {
      throw new RulewrightError(refused.map(({ message }) => message).join('; '), {
        code: 'versions/refused',
        fault: 'user',
      });
    }
    try {
      await client.send({
        ...deleteVersionRequest(found.scope, found.live.id, choice.version),
        phase: found.live.phase,
      });
    } catch (error) {
      if (!isUncertain(error)) {
        throw error;
      }
      if (!(await isGone(client, found, choice.version))) {
        throw inDoubt(choice.version, error);
      }
    }
    return found;
  });
}

/** Returns the guards' objections to a deletion that neither the files nor the run allow. */
function deletionRefusals(
  { version, allow, guards: { safety, today } }: VersionDeletion,
  scope: Scope,
): readonly GuardFinding[] {
  const findings: readonly GuardFinding[] = [
    ...otherAccount({ scope, steps: [version] }, safety),
    { kind: 'irreversible', effect: 'refuse', message: `version ${version} will be deleted permanently` },
  ];
  return refusals(withoutAllowed(findings, safety, today), { kinds: allow });
}

/** Whether it is certain that a version no longer exists. */
async function isGone(client: ReadClient, found: FoundRuleset, version: string): Promise<boolean> {
  const read = versionIfKept(insisting(client), found, version);
  return (await orElse(read, (error) => error)) === null;
}

function inDoubt(version: string, cause: Error): RulewrightError {
  return new RulewrightError(`deleting version ${version}: ${cause.message}`, {
    code: 'versions/in-doubt',
    fault: 'remote',
    hint: 'wait a minute, then list the versions: the list shows whether it is gone',
    cause,
  });
}
