import { escapeVariables, escapedObject } from '../compose/template.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { addressOfRuleset, expressionsIn, canonicalContent, actionKind } from '../../model/index.ts';
import type { LiveRuleset, RulesetAddress, Scope, ScopeKind, LiveRule } from '../../model/index.ts';
import { apartFromWindow } from '../project/rule-window.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import { checkWithLanguage } from '../checks/expression-checker.ts';
import type { ExpressionFinding } from '../checks/expression-checker.ts';
import { isUnknownPeriod, UNKNOWN_PERIOD } from '../checks/check-rate-limit.ts';
import { parameterProblems } from '../checks/phase-parameters.ts';
import { validateEntryPoint } from '../generated/validators.mjs';
import { isPermittable, MARKER } from '../yaml/suppression-comments.ts';
import { isJsonObject, jsonEqual, objectOf, omit, pointerParts, textOf } from '../../data/index.ts';
import { KNOWN_ACTION_PARAMETERS } from '../../model/generated/known-fields.ts';
import { shortened } from '../../text/index.ts';
import { documentText } from './scope-text.ts';
import type { FileNote } from './scope-text.ts';

/** The start of a comment about a field that only live has. */
export const LIVE_ONLY = 'live also has a field that this version does not know, and that stays as it is: ';

/** Returns the field that such a comment is about; undefined for any other comment. */
export function unknownField(text: string): string | undefined {
  return text.startsWith(LIVE_ONLY) ? text.slice(LIVE_ONLY.length).split(': ', 1)[0] : undefined;
}

const AS_RETURNED = 'is as the service returns it; it may refuse to have it written so';

const UNCHECKED = 'not known to this version, and not checked';

/** Whether a comment is the one about unknown parameters. */
export function isUnchecked(text: string): boolean {
  return text === UNCHECKED;
}

/** Whether a line is a generated comment about the parameter below it, and means nothing without that parameter. */
export function isAboutParameter(line: string): boolean {
  return /^ *#/u.test(line) && [AS_RETURNED, UNCHECKED].some((text) => line.trimEnd().endsWith(` ${text}`));
}

/** Whether a note is a comment that suppresses a finding, without which the value below it is an error. */
export function isSuppression(text: string): boolean {
  return text.startsWith(MARKER);
}

/** A live rule as a file declares it. */
export interface RuleDocument {
  readonly value: JsonObject;
  /** Comments on what is worth knowing; paths are from the rule. */
  readonly notes: readonly FileNote[];
}

/** Where a rule lives, which decides what a file may say. */
export interface WrittenRulePlace {
  readonly kind: ScopeKind;
  readonly address: RulesetAddress;
  /** The time zone of the project; UTC where it is not known. */
  readonly timeZone?: string | undefined;
}

/**
 * Returns a live rule as a file declares it: canonical, without what the service would fill in. Parameters that the schema does not accept go to
 * `extra_parameters`, unchecked; unknown fields of the rule are named in a comment, since a plan leaves them alone.
 */
export function ruleDocument(rule: LiveRule, place: WrittenRulePlace): RuleDocument {
  const { extra, ...content } = rule.content;
  const { action, expression, description, action_parameters, logging, ratelimit, ...rest } = omit(
    canonicalContent(content),
    content.enabled ? ['enabled'] : [],
  );
  const { enabled, ...others } = rest;
  const said = {
    ref: rule.ref,
    ...(description === '' || description === undefined ? {} : { description }),
    ...apartFromWindow(textOf(expression), place.address.phase, {
      timeZone: place.timeZone ?? 'UTC',
      offsets: 'left out',
    }),
    action: action ?? '',
    ...(enabled === undefined ? {} : { enabled }),
  };
  const tail = {
    ...(isJsonObject(ratelimit) ? { ratelimit: tidyRatelimit(ratelimit, rule.content.action) } : {}),
    ...(logging === undefined || jsonEqual(logging, { enabled: true }) ? {} : { logging }),
    ...others,
  };
  const parameters = objectOf(action_parameters);
  const known = KNOWN_ACTION_PARAMETERS.get(rule.content.action);
  const unknown = Object.keys(parameters).filter((key) => known !== undefined && !known.has(key));
  const draft = assemble(said, parameters, unknown, tail);
  const refused = refusedParameters(draft, place).filter((key) => !unknown.includes(key));
  const moved = [...unknown, ...refused];
  const value = assemble(said, parameters, moved, tail);
  return {
    value: escapedObject(value),
    notes: [
      ...(known === undefined ? [newName(['action'], 'schema/unknown-action')] : []),
      ...unreadExpressions(value, place).flatMap(unreadNotes),
      ...(isUnknownPeriod(objectOf(value['ratelimit'])['period'])
        ? [newName(['ratelimit', 'period'], UNKNOWN_PERIOD)]
        : []),
      ...(unknown.length === 0 ? [] : [note(['extra_parameters'], UNCHECKED)]),
      ...refused.map((key) => note(['extra_parameters', key], `${key} ${AS_RETURNED}`)),
      ...Object.entries(extra ?? {}).map(([key, value]) =>
        note([], `${LIVE_ONLY}${key}: ${shortJson(value)}`),
      ),
    ],
  };
}

/** Returns the comments that suppress the errors of an expression that only the service accepts. */
function unreadNotes({ path, errors }: UnreadExpression): readonly FileNote[] {
  const codes = new Set(errors.map(({ code }) => code));
  return [...codes]
    .filter(isPermittable)
    .map((code) => newName(path, code, code.startsWith('expression/unknown-') ? 'know' : 'accept'));
}

/** An expression that this version refuses, and the service does not. */
export interface UnreadExpression {
  /** Path from the rule. */
  readonly path: ValuePath;
  readonly errors: readonly ExpressionFinding[];
}

/** Returns the expressions of a live rule, as a file declares it, that this version refuses. */
export function unreadExpressions(
  rule: JsonObject,
  { kind, address }: WrittenRulePlace,
): readonly UnreadExpression[] {
  return expressionsIn(rule).flatMap(({ path, text, role }) => {
    const found = text === '' ? [] : checkWithLanguage(text, { role, phase: address.phase, level: kind });
    const errors = found.filter(({ severity }) => severity === 'error');
    return errors.length === 0 ? [] : [{ path, errors }];
  });
}

/** Returns the comment that suppresses the error about what only the service knows, by default a name. */
export function newName(path: ValuePath, code: string, lack = 'know'): FileNote {
  return note(path, `${MARKER} ${code}: live has it, and this version does not ${lack} it`);
}

function note(path: ValuePath, text: string): FileNote {
  return { path, text, place: 'before' };
}

function assemble(
  said: JsonObject,
  parameters: JsonObject,
  moved: readonly string[],
  tail: JsonObject,
): JsonObject {
  const ours = omit(parameters, moved);
  const extra = Object.fromEntries(moved.flatMap((key) => entryOf(parameters, key)));
  return {
    ...said,
    ...(Object.keys(ours).length === 0 ? {} : { action_parameters: ours }),
    ...(moved.length === 0 ? {} : { extra_parameters: extra }),
    ...tail,
  };
}

function entryOf(object: JsonObject, key: string): readonly (readonly [string, JsonValue])[] {
  const value = object[key];
  return value === undefined ? [] : [[key, value]];
}

/**
 * Removes what the service fills in by itself. A challenge gets a timeout of 0 (api.md 3.4); any other action with 0 slows down and does not
 * block.
 */
function tidyRatelimit(ratelimit: JsonObject, action: string): JsonObject {
  const isFilled = actionKind(action) === 'challenge' && ratelimit['mitigation_timeout'] === 0;
  return omit(ratelimit, [
    ...(ratelimit['requests_to_origin'] === false ? ['requests_to_origin'] : []),
    ...(isFilled ? ['mitigation_timeout'] : []),
  ]);
}

/** Returns the parameters that the schema or the phase does not accept. */
function refusedParameters(rule: JsonObject, { kind, address }: WrittenRulePlace): readonly string[] {
  const errors = validateEntryPoint({ rules: [rule] }) ? [] : (validateEntryPoint.errors ?? []);
  const found = errors.flatMap(({ instancePath, params }) => {
    const path = pointerParts(instancePath);
    const at = path.indexOf('action_parameters');
    const key = at === -1 ? undefined : (path[at + 1] ?? additional(params));
    return key === undefined ? [] : [key];
  });
  const { action, action_parameters: parameters } = rule;
  const elsewhere =
    typeof action === 'string' && isJsonObject(parameters)
      ? parameterProblems(action, parameters, { phase: address.phase, scope: kind })
      : [];
  found.push(...elsewhere.map(({ path: [key] }) => String(key)));
  return [...new Set(found)].filter((key) => isJsonObject(parameters) && Object.hasOwn(parameters, key));
}

function additional(params: unknown): string | undefined {
  const key = objectOf(params)['additionalProperty'];
  return typeof key === 'string' ? key : undefined;
}

/** Returns a value for a comment; a long one is cut. */
function shortJson(value: JsonValue): string {
  return shortened(JSON.stringify(value), 80);
}

/** Returns a live ruleset as a file would declare it: YAML that can be pasted into one of a project with this time zone. */
export function rulesetYaml(scope: Scope, ruleset: LiveRuleset, timeZone?: string): string {
  const { value, notes } = rulesetDocument(ruleset, { kind: scope.kind, timeZone });
  const { kind, phase } = ruleset;
  const path: ValuePath = kind === 'custom' ? ['rulesets', 0] : ['entrypoints', phase];
  const body = kind === 'custom' ? { rulesets: [value] } : { entrypoints: { [phase]: value } };
  return documentText({ [scope.kind]: scope.name, ...body }, under(path, notes));
}

/** Returns a live ruleset as a file declares it, below its phase or among the custom rulesets. */
export function rulesetDocument(
  ruleset: LiveRuleset,
  around: Omit<WrittenRulePlace, 'address'>,
): { readonly value: JsonObject; readonly notes: readonly FileNote[] } {
  const { phase } = ruleset;
  const [description, name] = [escapeVariables(ruleset.description), escapeVariables(ruleset.name)];
  const address = addressOfRuleset(ruleset);
  const rules = ruleset.rules.map((rule) => ruleDocument(rule, { ...around, address }));
  return {
    value: {
      ...(address.kind === 'custom' ? { name, phase } : {}),
      ...(description === '' ? {} : { description }),
      rules: rules.map(({ value }) => value),
    },
    notes: rules.flatMap(({ notes }, index) => under(['rules', index], notes)),
  };
}

/** Puts a path in front of the paths of notes. */
export function under(path: ValuePath, notes: readonly FileNote[]): readonly FileNote[] {
  return notes.map((note) => ({ ...note, path: [...path, ...note.path] }));
}
