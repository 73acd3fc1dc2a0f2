import type {
  Allowance,
  Diagnostic,
  Ignored,
  Rollout,
  RuleOwnership,
  Safety,
  Threshold,
  TrafficLimits,
} from '../../model/index.ts';
import type { Allowance as AllowanceDocument, ProjectDocument } from '../../model/generated/documents.ts';
import type { JsonValue } from '../../data/index.ts';
import { objectOf, isJsonObject, listOf } from '../../data/index.ts';
import { DEFAULT_SAFETY, DEFAULT_TRAFFIC } from '../../model/index.ts';
import { isTimeZone } from '../../text/index.ts';
import { didYouMean } from '../schema/suggest.ts';
import type { YamlDocument, ValuePath } from '../yaml/yaml-document.ts';
import { readLabelLevels } from './plan-level.ts';
import type { LabelLevel } from './plan-level.ts';
import { readRollout } from './rollout-settings.ts';
import { finding } from '../source/finding.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';

/** An entry of a list that expires after a day. */
interface EndingEntry {
  readonly path: ValuePath;
  /** Its last day, `YYYY-MM-DD`. */
  readonly until: string;
  /** What the entry is and what it is for, as a continuation of "this". */
  readonly what: string;
  readonly code: 'config/expired-ignore' | 'config/expired-allow';
}

/** Reports a last day that the calendar does not have, or that has passed. Without `today`, no day has passed. */
function checkLastDay(
  document: YamlDocument,
  { path, until, what, code }: EndingEntry,
  today = '',
): readonly Diagnostic[] {
  if (!isDay(until)) {
    return [
      finding('config/no-such-day', {
        message: `${until} is not a day of the calendar`,
        where: locateValue(document, [...path, 'until']),
      }),
    ];
  }
  return until < today
    ? [
        finding(code, {
          message: `this ${what} expired on ${until}`,
          hint: 'remove it, or give it a later last day',
          where: locateKey(document, path),
        }),
      ]
    : [];
}

/** Whether the calendar has a day, written as `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** An `ignore` list of a file: its path and its unchecked value. */
export interface IgnoreList {
  readonly path: ValuePath;
  readonly value: JsonValue | undefined;
}

/** Returns the entries of an `ignore` list, without those that the schema refuses. */
export function readIgnored(document: YamlDocument, { path, value }: IgnoreList): readonly Ignored[] {
  return entriesOf(value).map(({ index, rule, field, reason, until }) => {
    const { file, start } = locateKey(document, [...path, index]);
    return {
      rule,
      ...(field === undefined ? {} : { field }),
      reason,
      until,
      cause: { file, line: start.line, column: start.column },
    };
  });
}

/** Reports what the schema cannot see in an `ignore` list: days that do not exist or have passed, and fields that name a list item by number. */
export function checkIgnored(
  document: YamlDocument,
  { path, value }: IgnoreList,
  today?: string,
): readonly Diagnostic[] {
  return entriesOf(value).flatMap(({ index, rule, field, until }) => [
    ...checkLastDay(
      document,
      {
        path: [...path, index],
        until,
        what: `\`ignore\` of ${rule}${field === undefined ? '' : ` ${field}`}`,
        code: 'config/expired-ignore',
      },
      today,
    ),
    ...(field !== undefined && LIST_INDEX.test(field)
      ? [
          finding('config/ignored-list-item', {
            message: `${field} names an item of a list by its number, which means something else once the list changes`,
            hint: 'name the whole list, or an override of a managed rule by the id of the rule',
            where: locateValue(document, [...path, index, 'field']),
          }),
        ]
      : []),
  ]);
}

const LIST_INDEX = /\/\d{1,6}(\/|$)/;

interface IgnoreSetting {
  readonly index: number;
  readonly rule: string;
  readonly field: string | undefined;
  readonly reason: string;
  readonly until: string;
}

function entriesOf(value: JsonValue | undefined): readonly IgnoreSetting[] {
  return listOf(value).flatMap((item, index): readonly IgnoreSetting[] => {
    if (!isJsonObject(item)) {
      return [];
    }
    const { rule, field, reason, until } = item;
    const usable = typeof rule === 'string' && typeof reason === 'string' && typeof until === 'string';
    return usable && (field === undefined || typeof field === 'string')
      ? [{ index, rule, field, reason, until }]
      : [];
  });
}

/** The settings of the project file for every scope, with defaults filled in. */
export interface Settings {
  readonly ownership: {
    readonly rules: RuleOwnership;
    readonly rulesets: 'declared' | 'all';
  };
  readonly safety: Safety;
  /** Differences that are accepted in every scope. */
  readonly ignore: readonly Ignored[];
  /** Whether a plan keeps examples of recorded requests. */
  readonly trafficExamples: boolean;
  /** IANA name of the zone of days, and of times without an offset. */
  readonly timeZone: string;
  readonly ending: EndingSettings;
  /** The plan levels of zones by their labels. */
  readonly labelLevels: readonly LabelLevel[];
  /** How zones are written in waves; absent: all at once. */
  readonly rollout?: Rollout | undefined;
}

/** What is asked of the ends of rules. */
export interface EndingSettings {
  /** Days before an end from which on it is told. */
  readonly within: number;
  /** Actions, and patterns of `ref`s, of the rules that have to end. */
  readonly required: readonly string[];
}

const UTC = 'UTC';

/** Settings for when the project file cannot be read; they only let checking continue. */
export const NO_SETTINGS: Settings = {
  ownership: { rules: { kind: 'all' }, rulesets: 'declared' },
  safety: DEFAULT_SAFETY,
  ignore: [],
  trafficExamples: false,
  timeZone: UTC,
  ending: { within: 14, required: [] },
  labelLevels: [],
};

/** Reads the settings of a valid project document. */
export function readSettings(document: YamlDocument, project: ProjectDocument): Settings {
  const { ownership, safety, time_zone: zone } = project;
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
      traffic: readTraffic(safety),
      allow: safety?.allow?.map((allowance) => readAllowance(allowance)) ?? DEFAULT_SAFETY.allow,
    },
    ignore: readIgnored(document, { path: ['ignore'], value: ignoreOf(document) }),
    trafficExamples: project.traffic_examples ?? false,
    timeZone: zone !== undefined && isTimeZone(zone) ? zone : UTC,
    ending: {
      within: safety?.ends_within ?? NO_SETTINGS.ending.within,
      required: safety?.require_until ?? [],
    },
    labelLevels: readLabelLevels(document, project),
    rollout: readRollout(document, project),
  };
}

/** Reports a time zone that does not exist. */
export function checkTimeZone(
  document: YamlDocument,
  { time_zone: name }: ProjectDocument,
): readonly Diagnostic[] {
  return name === undefined || isTimeZone(name)
    ? []
    : [
        finding('active/time-zone', {
          message: `there is no time zone \`${name}\``,
          hint:
            didYouMean(name, Intl.supportedValuesOf('timeZone')) ??
            'write the IANA name of a place whose clock counts, such as Europe/Berlin, or UTC',
          where: locateValue(document, ['time_zone']),
        }),
      ];
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

/** Reads what recorded requests have to show; undefined where no limit asks for them. */
function readTraffic(safety: ProjectDocument['safety']): TrafficLimits | undefined {
  const most = threshold(safety?.max_newly_blocked);
  const byRule = Object.entries(safety?.max_newly_blocked_by_rule ?? {}).flatMap(([rule, value]) => {
    const limit = threshold(value);
    return limit === undefined ? [] : [{ rule, most: limit }];
  });
  return most === undefined && byRule.length === 0
    ? undefined
    : {
        ...(most === undefined ? {} : { maxNewlyBlocked: most }),
        maxNewlyBlockedByRule: byRule,
        minRecords: safety?.min_records ?? DEFAULT_TRAFFIC.minRecords,
        maxUnknown: threshold(safety?.max_unknown) ?? DEFAULT_TRAFFIC.maxUnknown,
      };
}

function readAllowance({ kind, rule, reason, until }: AllowanceDocument): Allowance {
  return { kind, rule, reason, until };
}
