import { namesField } from '../../expression/index.ts';
import {
  compareStrength,
  expressionMode,
  ruleFieldsOf,
  settingFacts,
  settingFieldName,
  switchesOff,
} from '../../model/index.ts';
import type { RuleExpression, SettingFacts, SettingField, SettingFieldChange } from '../../model/index.ts';
import { counted, oneLine, someNames } from '../../text/index.ts';
import type { SecurityImpact } from '../impact/security-effect.ts';
import { SAME, stronger, together, unproven, weaker } from '../impact/security-effect.ts';

/** A rule that may depend on settings, as it is when a plan is carried out. */
export interface SettingUser {
  readonly name: string;
  readonly expressions: readonly Pick<RuleExpression, 'text' | 'role'>[];
}

/** The most rules that a reason names. */
const MOST_NAMED = 3;

/**
 * Judges a change of fields by the table: what is not known to be as strong counts as weaker. Of a field that rules depend on, the reason names the
 * rules of the zone that look at it.
 */
export function judgeSetting(
  name: string,
  fields: readonly SettingFieldChange[],
  users: readonly SettingUser[] = [],
): SecurityImpact {
  const facts = settingFacts(name);
  return facts === undefined
    ? unproven(`${name} is a setting that is not known here`)
    : together(fields.map((change) => judgeField(facts, change, users)));
}

function judgeField(
  facts: SettingFacts,
  change: SettingFieldChange,
  users: readonly SettingUser[],
): SecurityImpact {
  const field = facts.fields[change.path];
  const told = settingChangeText(facts.name, change);
  if (field === undefined) {
    return unproven(`${told}: what that does is not known here`);
  }
  const compared = compareStrength(field, change);
  switch (compared.kind) {
    case 'same':
      return SAME;
    case 'weaker':
      return weaker(`less ${compared.of} (${told})${usersText(field, change, users)}`);
    case 'stronger':
      return stronger(`more ${compared.of} (${told})`);
    default:
      return unproven(`perhaps less ${compared.of} (${told})`);
  }
}

/** Names the rules that look at what a field no longer feeds. */
function usersText(
  field: SettingField,
  { after }: SettingFieldChange,
  users: readonly SettingUser[],
): string {
  const names = ruleFieldsOf(field);
  const own = users.filter(({ expressions }) =>
    expressions.some(({ text, role }) => namesField(text, expressionMode(role), names)),
  );
  return own.length === 0 || !switchesOff(field, after)
    ? ''
    : `, and ${counted(own.length, 'rule')} ${own.length === 1 ? 'depends' : 'depend'} on it (${someNames(
        own.map(({ name }) => oneLine(name)),
        MOST_NAMED,
      )})`;
}

/** Returns a change of a field in words: `zone.ssl full → flexible`. */
export function settingChangeText(name: string, { path, before, after }: SettingFieldChange): string {
  const facts = settingFacts(name) ?? { name };
  return `${settingFieldName(facts, path)} ${valueText(before)} → ${valueText(after)}`;
}

function valueText(value: SettingFieldChange['before']): string {
  return value === null ? 'unset' : typeof value === 'string' ? value : JSON.stringify(value);
}
