import type { Value } from '../expression/index.ts';
import { phaseFacts, canonicalReference, actionKind, readSkip, headerRewrites } from '../model/index.ts';
import type { JsonObject, JsonValue } from '../data/index.ts';
import { isJsonObject, objectOf, textOf } from '../data/index.ts';
import type { ActionKind, RuleContent } from '../model/index.ts';
import { compileText } from './compile.ts';
import type { CompiledText, Evaluation } from './evaluation.ts';
import type { Effect, HeaderEffect } from './prepared.ts';

/** The effect of a rule, with its problem and its assumptions. */
export interface PreparedEffect {
  readonly effect: Effect;
  /** Why the effect cannot be computed; undefined when it can. */
  readonly problem: string | undefined;
  readonly assumes: readonly string[];
}

/** The state of reading an effect; collects its compiled texts with their problems. */
interface EffectReader {
  readonly evaluation: Evaluation;
  readonly phase: string;
  readonly parameters: JsonObject;
  readonly texts: CompiledText<Value | undefined>[];
}

/** Reads the effect of a rule's action in a phase (api.md 4.3, 5). */
export function prepareEffect(content: RuleContent, phase: string, evaluation: Evaluation): PreparedEffect {
  const reader: EffectReader = { evaluation, phase, parameters: content.action_parameters ?? {}, texts: [] };
  const kind = actionKind(content.action);
  const effect =
    kind === undefined || kind === 'page-change'
      ? ({
          kind: 'opaque',
          why: `what the action ${content.action} does is known to the service only`,
        } as const)
      : EFFECTS[kind](reader);
  const problems = reader.texts.flatMap(({ problem }) => problem ?? []);
  return {
    effect,
    problem: problems.length === 0 ? undefined : problems.join('; '),
    assumes: reader.texts.flatMap(({ assumes }) => assumes),
  };
}

const EFFECTS: Readonly<Record<Exclude<ActionKind, 'page-change'>, (reader: EffectReader) => Effect>> = {
  block,
  challenge: () => ({ kind: 'challenge' }),
  redirect,
  'error-page': (reader) => ({ kind: 'error-page', status: numberAt(reader.parameters, 'status_code') }),
  skip: (reader) => ({ kind: 'skip', skip: readSkip(reader.parameters) }),
  execute,
  rewrite,
  settings: ({ parameters }) => ({ kind: 'settings', settings: Object.entries(parameters) }),
  note: () => ({ kind: 'note' }),
};

function block({ parameters, phase }: EffectReader): Effect {
  const answer = objectOf(parameters['response']);
  const usual = phaseFacts(phase)?.block?.status ?? 403;
  return { kind: 'block', status: numberAt(answer, 'status_code') ?? usual };
}

function redirect(reader: EffectReader): Effect {
  const { parameters } = reader;
  const list = textOf(objectOf(parameters['from_list'])['name']);
  if (list !== '') {
    return { kind: 'opaque', why: `where the list $${list} leads is known to the service only` };
  }
  const value = objectOf(parameters['from_value']);
  return {
    kind: 'redirect',
    status: numberAt(value, 'status_code') ?? 301,
    target: text(reader, value['target_url']).evaluate,
    preservesQuery: value['preserve_query_string'] === true,
  };
}

function execute({ parameters }: EffectReader): Effect {
  return { kind: 'execute', reference: canonicalReference(textOf(parameters['id'])) };
}

function rewrite(reader: EffectReader): Effect {
  const { parameters } = reader;
  const uri = parameters['uri'];
  if (isJsonObject(uri)) {
    const part = (key: string) => (uri[key] === undefined ? undefined : text(reader, uri[key]).evaluate);
    return { kind: 'rewrite-url', path: part('path'), query: part('query') };
  }
  const headers = headerRewrites(parameters).map(({ name, operation, given }): HeaderEffect => ({
    name,
    operation,
    value: text(reader, given).evaluate,
  }));
  return { kind: 'rewrite-headers', headers };
}

function text(reader: EffectReader, given: JsonValue | undefined): CompiledText<Value | undefined> {
  const compiled = compileText(given, reader.evaluation);
  reader.texts.push(compiled);
  return compiled;
}

function numberAt(object: JsonObject, key: string): number | null {
  const value = object[key];
  return typeof value === 'number' ? value : null;
}
