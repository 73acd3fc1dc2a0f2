import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Allowance as AllowanceDocument, ProjectDocument } from '../../model/generated/documents.ts';
import type { Ignored } from '../../model/ignored.ts';
import type { JsonValue } from '../../model/json.ts';
import { objectOf } from '../../model/json.ts';
import type { RuleOwnership } from '../../model/ruleset.ts';
import { DEFAULT_SAFETY } from '../../model/settings.ts';
import type { Allowance, Safety, Threshold } from '../../model/settings.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { checkIgnored, readIgnored } from './ignored.ts';
import { checkLastDay } from './last-day.ts';

/** The settings of the project file for every scope, with defaults filled in. */
export interface Settings {
  readonly ownership: {
    readonly rules: RuleOwnership;
    readonly rulesets: 'declared' | 'all';
  };
  readonly safety: Safety;
  /** Differences that are accepted in every scope. */
  readonly ignore: readonly Ignored[];
}

/** Reads the settings of a valid project document (`ownership`, `safety`, `ignore`). */
export function readSettings(document: YamlDocument, project: ProjectDocument): Settings {
  const { ownership, safety } = project;
  return {
    ownership: {
      rules: ruleOwnership(ownership?.rules) ?? { kind: 'all' },
      rulesets: ownership?.rulesets ?? 'declared',
    },
    safety: {
      maxDeleted: threshold(safety?.max_deleted) ?? DEFAULT_SAFETY.maxDeleted,
      maxChanged: threshold(safety?.max_changed) ?? DEFAULT_SAFETY.maxChanged,
      minRules: safety?.min_rules ?? DEFAULT_SAFETY.minRules,
      maxScopes: safety?.max_scopes,
      accounts: safety?.accounts,
      protect: safety?.protect ?? DEFAULT_SAFETY.protect,
      weakened: safety?.weakened ?? DEFAULT_SAFETY.weakened,
      everyRequest: safety?.every_request ?? DEFAULT_SAFETY.everyRequest,
      unprotected: safety?.unprotected ?? DEFAULT_SAFETY.unprotected,
      allow: safety?.allow?.map((allowance) => readAllowance(allowance)) ?? DEFAULT_SAFETY.allow,
    },
    ignore: readIgnored(document, { path: ['ignore'], value: ignoreOf(document) }),
  };
}

/** Reports days that the calendar does not have, such as 2026-02-30, or that have passed, and what else the schema cannot see in `ignore`. */
export function checkDays(
  document: YamlDocument,
  project: ProjectDocument,
  today?: string,
): readonly Diagnostic[] {
  const allowances = (project.safety?.allow ?? []).flatMap(({ kind, rule, until }, index) => {
    const what = `\`allow\` of ${kind}${rule === undefined ? '' : ` for ${rule}`}`;
    const path = ['safety', 'allow', index];
    return checkLastDay(document, { path, until, what, code: 'config/expired-allow' }, today);
  });
  return [...allowances, ...checkIgnored(document, { path: ['ignore'], value: ignoreOf(document) }, today)];
}

function ignoreOf({ value }: YamlDocument): JsonValue | undefined {
  return objectOf(value)['ignore'];
}

/** Reads the value of an `ownership.rules` key: `all`, or a list of patterns. Undefined when the key is absent. */
export function ruleOwnership(value: string | readonly string[] | undefined): RuleOwnership | undefined {
  if (value === undefined) {
    return undefined;
  }
  return typeof value === 'string' ? { kind: 'all' } : { kind: 'patterns', patterns: value };
}

function threshold(value: string | number | undefined): Threshold | undefined {
  if (value === undefined) {
    return undefined;
  }
  return typeof value === 'number'
    ? { kind: 'count', count: value }
    : { kind: 'percent', percent: Number(value.replace('%', '')) };
}

function readAllowance({ kind, rule, reason, until }: AllowanceDocument): Allowance {
  return { kind, rule, reason, until };
}
