import { PHASE, VERSION } from '../../api/paths.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { RulesetTarget } from '../../model/plan.ts';
import type { Base } from '../../model/base.ts';
import { isId } from '../../model/scope.ts';
import { isHidden } from '../../model/sensitive.ts';
import type { Anchor, Write } from '../../plan/requests/writes.ts';

/** Reads the write of an intent; null when it is incomplete, for example because the journal hides a text in it. */
export function recordedWrite(value: JsonValue | undefined): Write | null {
  if (!isJsonObject(value) || isHidden(JSON.stringify(value))) {
    return null;
  }
  const { kind, id } = value;
  if (kind === 'create-ruleset') {
    return recordedCreation(value);
  }
  return typeof id === 'string' && isId(id) ? writeTo(id, value) : null;
}

function recordedCreation({ target, description, rules }: JsonObject): Write | null {
  const made = recordedTarget(target);
  const list = objects(rules);
  return made === null || list === null || typeof description !== 'string'
    ? null
    : { kind: 'create-ruleset', target: made, description, rules: list };
}

/** Reads a write to an existing ruleset. */
function writeTo(id: string, value: JsonObject): Write | null {
  const { kind, ruleId, ref, rule, description } = value;
  switch (kind) {
    case 'put-ruleset': {
      const rules = value['rules'] === null ? null : objects(value['rules']);
      const isWhole = rules !== null || value['rules'] === null;
      return isWhole && (description === null || typeof description === 'string')
        ? { kind, id, description, rules }
        : null;
    }
    case 'add-rule': {
      const behind = recordedAnchor(value['behind']);
      return behind !== null && typeof ref === 'string' && isJsonObject(rule)
        ? { kind, id, ref, rule, behind }
        : null;
    }
    case 'patch-rule': {
      const behind = recordedAnchor(value['behind']);
      return typeof ruleId === 'string' &&
        (rule === null || isJsonObject(rule)) &&
        (behind !== null || value['behind'] === null)
        ? { kind, id, ruleId, rule, behind }
        : null;
    }
    case 'delete-rule':
      return typeof ruleId === 'string' ? { kind, id, ruleId } : null;
    case 'delete-ruleset':
      return { kind, id };
    default:
      return null;
  }
}

function objects(value: JsonValue | undefined): readonly JsonObject[] | null {
  return isJsonArray(value) && value.every(isJsonObject) ? value : null;
}

function recordedAnchor(value: JsonValue | undefined): Anchor | null {
  if (!isJsonObject(value)) {
    return null;
  }
  const { kind, id, ref } = value;
  switch (kind) {
    case 'first':
      return { kind };
    case 'live':
      return typeof id === 'string' ? { kind, id } : null;
    case 'new':
      return typeof ref === 'string' ? { kind, ref } : null;
    default:
      return null;
  }
}

/** Reads the target of a step; null when no request could name it, since a journal may be damaged. */
export function recordedTarget(value: JsonValue | undefined): RulesetTarget | null {
  if (!isJsonObject(value)) {
    return null;
  }
  const { level, phase, name } = value;
  return (level === 'zone' || level === 'root' || level === 'custom') &&
    typeof phase === 'string' &&
    PHASE.test(phase) &&
    typeof name === 'string'
    ? { kind: 'ruleset', level, phase, name }
    : null;
}

/** Reads the base of a step or of a write; null when no request could name it. */
export function recordedBase(value: JsonValue | undefined): Base | null {
  if (!isJsonObject(value)) {
    return null;
  }
  const { kind, id, version, lastUpdated } = value;
  if (kind === 'absent') {
    return { kind };
  }
  return kind === 'version' &&
    typeof id === 'string' &&
    isId(id) &&
    typeof version === 'string' &&
    VERSION.test(version) &&
    typeof lastUpdated === 'string'
    ? { kind, id, version, lastUpdated }
    : null;
}
