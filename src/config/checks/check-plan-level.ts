import { lacks, tooManyRules, tooManyRulesets } from '../../entitlements/index.ts';
import {
  PLAN_LEVELS,
  formatPlace,
  phaseFacts,
  planName,
  settingFacts,
  settingFieldName,
  settingPlanNeeded,
} from '../../model/index.ts';
import type {
  DeclaredSettingField,
  Diagnostic,
  PlanLevel,
  RuleContent,
  ScopeKind,
  SourceSpan,
} from '../../model/index.ts';
import { groupBy } from '../../data/index.ts';
import { slug } from '../../text/index.ts';
import { declaredContent } from '../project/desired-scope.ts';
import type { Declaration, RulesetHead, ScopeGroup } from '../project/desired-scope.ts';
import type { StatedLevel } from '../project/plan-level.ts';
import type { DeclaredRule, DeclaredRuleset, ScopeFile } from '../project/scope-file.ts';
import { declaredSettings } from '../settings/declared-settings.ts';
import { finding } from '../source/finding.ts';
import { locateStretch } from '../yaml/locate-stretch.ts';
import { locateValue } from '../yaml/yaml-document.ts';

const ADD_ON = 'if an add-on of the zone includes it, suppress this with a comment that says so';

/** Reports what the rules and settings of a file without errors use and a plan level does not include. */
export function checkPlanLevel(file: ScopeFile, level: PlanLevel): readonly Diagnostic[] {
  return [
    ...file.rulesets.flatMap((ruleset) => ruleset.rules.flatMap((rule) => checkRule(ruleset, rule, level))),
    ...declaredSettings(file).flatMap((field) => checkSetting(field, level)),
  ];
}

function checkSetting(
  { name, path, value, where }: DeclaredSettingField,
  level: PlanLevel,
): readonly Diagnostic[] {
  const facts = settingFacts(name);
  const field = facts?.fields[path];
  const needed = field && settingPlanNeeded(field, value, level);
  return facts === undefined || needed === undefined
    ? []
    : [
        finding('config/plan-level', {
          message: `the ${planName(level)} plan does not include ${settingFieldName(facts, path)} ${JSON.stringify(value)}, which needs the ${planName(needed)} plan`,
          hint: ADD_ON,
          where,
        }),
      ];
}

function checkRule(
  { document, address }: DeclaredRuleset,
  rule: DeclaredRule,
  level: PlanLevel,
): readonly Diagnostic[] {
  const content: RuleContent = declaredContent(rule);
  const { action_parameters: parameters = {}, ratelimit = {} } = content;
  const phase = phaseFacts(address.phase);
  return lacks({ content, parameters, ratelimit, phase, level }).map(({ text, path, stretch }) => {
    const at = [...rule.path, ...path];
    return finding('config/plan-level', {
      message: `the ${planName(level)} plan does not include ${text}`,
      hint: ADD_ON,
      where: stretch === undefined ? locateValue(document, at) : locateStretch(document, at, stretch).where,
    });
  });
}

/** Reports a zone that has more rules or custom rulesets than its plan level allows, and files that say different levels of one zone, or none. */
export function checkPlanOfScope({ scope, files }: ScopeGroup): readonly Diagnostic[] {
  const several = files.flatMap(({ plans }) => plans);
  const [first, ...others] = several;
  if (first === undefined) {
    return [];
  }
  const other = others.find(({ level }) => level !== first.level);
  if (other !== undefined) {
    return [twoLevels(first, other, files[0]?.where)];
  }
  return [
    ...files.flatMap((file) => (file.plans.length === 0 ? [notJudged(file, first)] : [])),
    ...tooMany(files, { kind: scope.kind, plan: first.level }),
  ];
}

function twoLevels(first: StatedLevel, other: StatedLevel, zone: SourceSpan | undefined): Diagnostic {
  return finding('config/scope-setting-conflict', {
    message: `the zone has two plan levels, ${planName(first.level)} and ${planName(other.level)}`,
    hint: `they are said at ${[first, other]
      .flatMap(({ where }) => where ?? [])
      .map(formatPlace)
      .join(' and ')}; keep one, or say \`plan\` in the file of the zone`,
    where: other.where?.file === first.where?.file ? zone : other.where,
  });
}

function notJudged({ where }: Declaration, { level, where: said }: StatedLevel): Diagnostic {
  return finding('config/plan-level', {
    message: `the rules here are not judged by the ${planName(level)} plan, which another file gives to the zone`,
    hint: `say \`plan: ${level}\` here too${said === undefined ? '' : `, as at ${formatPlace(said)}`}`,
    where,
  });
}

interface PlanHolder {
  readonly kind: ScopeKind;
  readonly plan: PlanLevel;
}

function tooMany(files: ScopeGroup['files'], holder: PlanHolder): readonly Diagnostic[] {
  const heads = files.flatMap((file) => file.heads).filter(({ absent }) => !absent);
  const executed = new Set(
    files.flatMap(({ references }) =>
      references.flatMap((one) => (one.phase === undefined ? [] : [`${one.phase}/${one.slug}`])),
    ),
  );
  const counts = ({ address }: RulesetHead): boolean =>
    address.kind === 'entrypoint' || executed.has(`${address.phase}/${slug(address.name)}`);
  const byPhase = groupBy(heads.filter(counts), ({ address }) => address.phase);
  const custom = heads.filter(({ address }) => address.kind === 'custom');
  return [
    ...[...byPhase].flatMap(([phase, some]) =>
      limit(
        some,
        (plan) => {
          const total = some.reduce((sum, { rules }) => sum + rules, 0);
          return tooManyRules(phase, total, { ...holder, plan });
        },
        holder,
      ),
    ),
    ...limit(custom, (plan) => tooManyRulesets(custom.length, { ...holder, plan }), holder),
  ];
}

function limit(
  heads: readonly RulesetHead[],
  says: (plan: PlanLevel) => string | undefined,
  { plan }: PlanHolder,
): readonly Diagnostic[] {
  const message = says(plan);
  const enough = PLAN_LEVELS.find((level) => says(level) === undefined);
  const room =
    enough === undefined ? 'no plan has room for them' : `the ${planName(enough)} plan has room for them`;
  return message === undefined
    ? []
    : [finding('config/plan-limit', { message, hint: `${room}; ${ADD_ON}`, where: heads.at(-1)?.where })];
}
