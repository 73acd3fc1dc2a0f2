import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { roleAt } from '../project/rule-expressions.ts';
import type { ValuePath, FilledText } from '../yaml/yaml-document.ts';
import { fillExpression, fillPlainText } from './fill-text.ts';
import type { FillProblem, TextFilling } from './fill-text.ts';
import { mayHaveVariables, parseTemplate } from './template.ts';

/** Where variables come from, and whom filling tells; paths count from the value that is filled. */
export interface Filling extends Omit<TextFilling, 'report'> {
  readonly report: (path: ValuePath, problem: FillProblem) => void;
  /** Told of each text that variables were put into, or where that went wrong. */
  readonly filled: (path: ValuePath, text: FilledText | 'broken') => void;
}

/** A rule with its variables put in: quoted in expressions, as values elsewhere. The rule itself where there are none. */
export function fillRule(rule: JsonObject, filling: Filling): JsonObject {
  return fillObject(rule, { isExpression, ...filling }, []);
}

/** A value that holds no expressions with its variables put in. */
export function fillValue(value: JsonValue, filling: Filling): JsonValue {
  return fill(value, { isExpression: () => false, ...filling }, []);
}

/** Characteristics are names of fields, not conditions: there variables stand for their text. */
function isExpression(path: ValuePath): boolean {
  const role = roleAt(path);
  return role !== undefined && role !== 'characteristic';
}

interface Job extends Filling {
  readonly isExpression: (path: ValuePath) => boolean;
}

function fill(value: JsonValue, job: Job, path: ValuePath): JsonValue {
  if (typeof value === 'string') {
    return mayHaveVariables(value) ? fillText(value, job, path) : value;
  }
  if (isJsonArray(value)) {
    const items = value.map((item, index) => fill(item, job, [...path, index]));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  return isJsonObject(value) ? fillObject(value, job, path) : value;
}

function fillObject(value: JsonObject, job: Job, path: ValuePath): JsonObject {
  let changed = false;
  const entries = Object.entries(value).map(([key, member]) => {
    if (mayHaveVariables(key)) {
      checkKey(key, job, path);
    }
    const filled = fill(member, job, [...path, key]);
    changed ||= filled !== member;
    return [key, filled] as const;
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** A key stays as it is written; one that looks otherwise is a mistake. */
function checkKey(key: string, job: Job, path: ValuePath): void {
  const variable = parseTemplate(key).find(({ kind }) => kind === 'variable');
  if (variable?.kind === 'variable') {
    job.report([...path, key], { kind: 'in-key', start: 0, end: 0, name: variable.name });
  }
}

function fillText(text: string, job: Job, path: ValuePath): JsonValue {
  const filling: TextFilling = { ...job, report: (problem) => job.report(path, problem) };
  const done = job.isExpression(path) ? fillExpression(text, filling) : fillPlainText(text, filling);
  job.filled(path, done?.pieces ?? 'broken');
  return done?.value ?? text;
}
