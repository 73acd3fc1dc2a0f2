import { isJsonArray, isJsonObject } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { roleAt } from '../../model/rule-expressions.ts';
import type { ValuePath, FilledText } from '../yaml/yaml-document.ts';
import { fillExpression, fillPlainText } from './fill-text.ts';
import type { FillProblem, TextFilling } from './fill-text.ts';
import { mayHaveVariables, parseTemplate } from './template.ts';

/** How filling looks variables up, and what it calls back; paths are relative to the filled value. */
export interface Filling extends Omit<TextFilling, 'report'> {
  readonly report: (path: ValuePath, problem: FillProblem) => void;
  /** Called for each text with variables: with its pieces, or with `broken` where a variable cannot be put in. */
  readonly filled: (path: ValuePath, text: FilledText | 'broken') => void;
}

/** Fills the variables of a rule: quoted in expressions, as values elsewhere. Returns the rule itself where nothing changes. */
export function fillRule(rule: JsonObject, filling: Filling): JsonObject {
  return fillObject(rule, { isExpression, ...filling }, []);
}

/** Fills the variables of a value that holds no expressions. */
export function fillValue(value: JsonValue, filling: Filling): JsonValue {
  return fill(value, { isExpression: () => false, ...filling }, []);
}

/** Whether the text at a path is filled as an expression. Characteristics are names of fields, where variables stand for plain text. */
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

/** Reports a variable in a key: keys stay as written. */
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
