import { KNOWN_ACTION_PARAMETERS } from '../../model/generated/known-fields.ts';
import type { JsonObject } from '../../data/index.ts';
import { plainJson, textOf } from '../../data/index.ts';
import { contentToWire, causeText } from '../../model/index.ts';
import type {
  DesiredList,
  DesiredRule,
  DesiredRuleset,
  RuleOwnership,
  DesiredScope,
} from '../../model/index.ts';
import type { Settings } from '../project/project-settings.ts';
import { apartFromWindow } from '../project/rule-window.ts';
import type { WrittenClock } from '../project/rule-window.ts';
import { escapedObject } from '../compose/template.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import { settingsValue } from '../settings/settings-value.ts';
import { documentText } from './scope-text.ts';
import type { FileNote } from './scope-text.ts';

/** What a file leaves out, as its project says it, and how it writes times. */
interface WrittenScope {
  readonly usual: Settings['ownership'];
  readonly clock: WrittenClock;
}

/**
 * Writes the desired state of a scope as one file without packs and variables, with comments that say where each rule comes from. Read in a
 * project with the same `usual` ownership, or with none, the file declares the same state.
 */
export function desiredYaml(
  {
    scope,
    tokenEnv,
    rulesetOwnership,
    ruleOwnership,
    rulesets,
    labels,
    plan,
    lists = [],
    settings = [],
    timeZone = 'UTC',
  }: DesiredScope,
  usual: Settings['ownership'],
): string {
  const rules = rulesetOwnership === 'all' ? (ruleOwnership ?? OURS) : usual.rules;
  const here: WrittenScope = { usual: { ...usual, rules }, clock: { timeZone, offsets: 'written' } };
  const points = rulesets.filter(({ address }) => address.kind === 'entrypoint');
  const custom = rulesets.filter(({ address }) => address.kind === 'custom');
  const notes = [
    ...points.flatMap((ruleset) => notesOf(ruleset, ['entrypoints', ruleset.address.phase])),
    ...custom.flatMap((ruleset, index) => notesOf(ruleset, ['rulesets', index])),
  ];
  const value = {
    [scope.kind]: scope.name,
    ...(tokenEnv === undefined ? {} : { token_env: tokenEnv }),
    ...(labels === undefined ? {} : { labels }),
    ...(plan === undefined ? {} : { plan }),
    ...(rulesetOwnership === 'declared' && usual.rulesets === 'declared'
      ? {}
      : {
          ownership: {
            rulesets: rulesetOwnership,
            ...(rulesetOwnership === 'all' ? saidRules(rules, usual) : {}),
          },
        }),
    ...(settings.length === 0 ? {} : { settings: settingsValue(settings) }),
    ...(points.length === 0
      ? {}
      : { entrypoints: Object.fromEntries(points.map((one) => [one.address.phase, bodyOf(one, here)])) }),
    ...(custom.length === 0 ? {} : { rulesets: custom.map((one) => customOf(one, here)) }),
    ...(lists.length === 0 ? {} : { lists: lists.map(listOf) }),
  };
  return documentText(value, notes);
}

function listOf({ name, kind, presence, description, items }: DesiredList): JsonObject {
  return escapedObject({
    name,
    kind,
    ...(description === undefined ? {} : { description }),
    ...(presence === 'absent'
      ? { absent: true }
      : { items: items === 'external' ? items : plainJson(items) }),
  });
}

function customOf(ruleset: DesiredRuleset, here: WrittenScope): JsonObject {
  const { address } = ruleset;
  const name = address.kind === 'custom' ? address.name : '';
  const head = { ...escapedObject({ name }), phase: address.phase };
  return ruleset.presence === 'absent'
    ? { ...head, absent: true, ...settingsOf(ruleset, here.usual) }
    : { ...head, ...bodyOf(ruleset, here) };
}

function bodyOf(ruleset: DesiredRuleset, { usual, clock }: WrittenScope): JsonObject {
  return {
    ...settingsOf(ruleset, usual),
    rules: ruleset.rules.map((rule) => ruleOf(rule, ruleset.address.phase, clock)),
  };
}

function settingsOf(
  { description, ownership, place, ignore = [] }: DesiredRuleset,
  usual: Settings['ownership'],
): JsonObject {
  return {
    ...(description === undefined ? {} : escapedObject({ description })),
    ...rulesOwned(ownership, usual),
    ...(place === 'any' ? {} : { place }),
    ...(ignore.length === 0 ? {} : { ignore: ignore.map(({ cause: _cause, ...entry }) => entry) }),
  };
}

function rulesOwned(ownership: RuleOwnership, usual: Settings['ownership']): JsonObject {
  const said = saidRules(ownership, usual);
  return Object.keys(said).length === 0 ? {} : { ownership: said };
}

const OURS: RuleOwnership = { kind: 'all' };

function saidRules(ownership: RuleOwnership, usual: Settings['ownership']): JsonObject {
  if (ownership.kind === 'all') {
    return usual.rules.kind === 'all' ? {} : { rules: 'all' };
  }
  return { rules: ownership.patterns };
}

function ruleOf({ ref, id, adopt, content }: DesiredRule, phase: string, clock: WrittenClock): JsonObject {
  const {
    action,
    expression,
    description,
    enabled,
    action_parameters: parameters,
    ...rest
  } = contentToWire(content);
  const known = KNOWN_ACTION_PARAMETERS.get(content.action);
  const entries = Object.entries(content.action_parameters ?? {});
  const ours = entries.filter(([key]) => known?.has(key) !== false);
  const extra = entries.filter(([key]) => known?.has(key) === false);
  return escapedObject({
    ...(ref === undefined ? {} : { ref }),
    ...(id === undefined ? {} : { id }),
    ...(adopt ? { adopt } : {}),
    ...(description === undefined || description === '' ? {} : { description }),
    ...apartFromWindow(textOf(expression), phase, clock),
    action: action ?? '',
    ...(enabled === false ? { enabled } : {}),
    ...(parameters === undefined || (ours.length === 0 && extra.length > 0)
      ? {}
      : { action_parameters: Object.fromEntries(ours) }),
    ...(extra.length === 0 ? {} : { extra_parameters: Object.fromEntries(extra) }),
    ...rest,
  });
}

function notesOf({ rules }: DesiredRuleset, path: ValuePath): readonly FileNote[] {
  return rules.map(({ cause }, index) => ({
    path: [...path, 'rules', index],
    text: causeText(cause),
    place: 'before',
  }));
}
