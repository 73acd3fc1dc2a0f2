import { either, integer, list, map, object, opaque, text, word, flag } from '../decode/body-shape.ts';
import type { ValueOf, ObjectShape } from '../decode/body-shape.ts';
import { isObject } from '../protocol/wire-object.ts';
import { attempt, decline, Refusal, refuse } from '../protocol/refusal.ts';
import { checkShape } from '../decode/bounds.ts';
import type { WireObject } from '../protocol/wire-object.ts';
import type { Method } from '../protocol/answer.ts';
import { readText, unreadText } from '../../files/index.ts';
import type { Fault, Trigger, Change, FaultEffect } from './fault.ts';

/** Reads an object of one kind and fills in defaults; refuses an object that does not fit, with a pointer to the problem. */
type Read<Meaning> = (raw: WireObject, at: string) => Meaning;

/** The readers of an object by its `kind`, which decides its other members. */
export type Variants<Meaning> = Readonly<Record<string, Read<Meaning>>>;

function variant<Raw, Meaning>(
  shape: ObjectShape<Raw>,
  meaning: (raw: Raw, at: string) => Meaning,
): Read<Meaning> {
  return (raw, at) => {
    checkPlaced(shape, raw, at);
    return meaning(raw, at);
  };
}

/** Checks an object of a fault file. Every refusal has a pointer, unlike the service's refusal of an unknown field. */
function checkPlaced<Raw>(shape: ObjectShape<Raw>, raw: unknown, at: string): asserts raw is Raw {
  const refused = attempt(() => checkShape(shape, raw, at));
  if (refused instanceof Refusal) {
    throw refuse(400, refused.message, { pointer: refused.errors[0]?.source?.pointer ?? at });
  }
}

/** The methods that a fault can name. */
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The shape of a path below the base URL. */
const path = text({ pattern: /^\//u });

const moment = word('before', 'after');
const status = integer(100, 599);
const seconds = integer(0, 86_400);
const name = text({ min: 1 });
const position = object({ before: text(), after: text(), index: integer(1) }, { some: 'any' });

/** The changes that somebody else can make in an `edit`. */
export const changes: Variants<Change> = {
  add: variant(object({ rule: map(opaque), position }, { required: ['rule'] }), ({ rule, position }) => ({
    kind: 'add',
    rule,
    position,
  })),
  patch: variant(
    object({ rule: name, set: map(opaque, { min: 1 }) }, { required: ['rule', 'set'] }),
    ({ rule, set }) => ({ kind: 'patch', rule, set }),
  ),
  delete: variant(object({ rule: name }, { required: ['rule'] }), ({ rule }) => ({ kind: 'delete', rule })),
  move: variant(
    object({ rule: name, position }, { required: ['rule', 'position'] }),
    ({ rule, position }) => ({ kind: 'move', rule, position }),
  ),
  create_ruleset: variant(object({ ruleset: map(opaque) }, { required: ['ruleset'] }), ({ ruleset }) => ({
    kind: 'create_ruleset',
    ruleset,
  })),
  delete_ruleset: variant(object({ ruleset: name }), ({ ruleset }) => ({ kind: 'delete_ruleset', ruleset })),
  request: variant(
    object(
      {
        method: word(...METHODS),
        path,
        body: either({ object: map(opaque), list: list(opaque) }),
      },
      { required: ['method', 'path'] },
    ),
    ({ method, path, body }) => ({ kind: 'request', method, path, body }),
  ),
};

/** The effects that a fault can have. */
export const effects: Variants<FaultEffect> = {
  error: variant(
    object(
      {
        status,
        code: integer(0),
        message: text({ min: 1 }),
        errors: list(map(opaque)),
        headers: map(text()),
        moment,
      },
      { required: ['status'] },
    ),
    // Either one error, given by `code` and `message`, or the whole list of errors.
    ({ status, code, message = 'injected fault', errors, headers = {}, moment = 'before' }) => ({
      kind: 'error',
      status,
      errors: errors ?? [{ code, message }],
      headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value])),
      moment,
    }),
  ),
  delay: variant(
    object(
      { seconds, milliseconds: integer(0, 86_400_000), real: flag() },
      { one: ['seconds', 'milliseconds'] },
    ),
    ({ seconds = 0, milliseconds = seconds * 1000, real = false }) => ({ kind: 'delay', milliseconds, real }),
  ),
  cut: variant(object({ moment }), ({ moment = 'before' }) => ({ kind: 'cut', moment })),
  html: variant(object({ status, text: text(), moment }), ({ status = 502, text, moment = 'before' }) => ({
    kind: 'html',
    status,
    text,
    moment,
  })),
  truncate: variant(
    object({ bytes: integer(0), connection: word('closed', 'kept') }),
    ({ bytes, connection = 'closed' }) => ({ kind: 'truncate', bytes, connection }),
  ),
  slow: variant(
    object({ pieces: integer(2, 1000), milliseconds: integer(0, 60_000) }, { required: ['milliseconds'] }),
    ({ pieces = 10, milliseconds }) => ({ kind: 'slow', pieces, milliseconds }),
  ),
  limit: variant(object({ seconds, retry_after: seconds }), ({ seconds = 0, retry_after: retryAfter }) => ({
    kind: 'limit',
    seconds,
    retryAfter,
  })),
  edit: variant(
    object({ scope: name, phase: name, by: name, change: map(opaque), moment }, { required: ['change'] }),
    ({ scope, phase, by, change, moment = 'before' }, at) => ({
      kind: 'edit',
      scope,
      phase,
      by,
      change: readVariant(changes, change, `${at}/change`),
      moment,
    }),
  ),
  spread: variant(object({ seconds }, { required: ['seconds'] }), ({ seconds }) => ({
    kind: 'spread',
    seconds,
  })),
  unknown_fields: variant(
    object({ fields: map(opaque, { min: 1 }) }),
    ({ fields = { x_unknown: { since: 2026 } } }) => ({ kind: 'unknown_fields', fields }),
  ),
  missing: variant(object({ members: list(name, { min: 1 }) }), ({ members = ['rules'] }) => ({
    kind: 'missing',
    members,
  })),
  emptied: variant(object({ members: list(name, { min: 1 }) }), ({ members = ['rules'] }) => ({
    kind: 'emptied',
    members,
  })),
  stale: variant(object({}), () => ({ kind: 'stale' })),
  twice: variant(object({}), () => ({ kind: 'twice' })),
};

/** Reads an object according to its `kind`. */
function readVariant<Meaning>(variants: Variants<Meaning>, raw: WireObject, at: string): Meaning {
  const { kind, ...members } = raw;
  const read = typeof kind === 'string' && Object.hasOwn(variants, kind) ? variants[kind] : undefined;
  if (read === undefined) {
    throw refuse(400, `expected one of ${Object.keys(variants).join(', ')}`, { pointer: `${at}/kind` });
  }
  return read(members, at);
}

const method = word(...METHODS);

/** The members of every fault; the members of `effect` depend on its `kind`. */
const faultShape = object(
  {
    name: text({ min: 1, max: 200 }),
    method: either({ text: method, list: list(method, { min: 1 }) }),
    path,
    query: map(text()),
    phase: text({ min: 1 }),
    nth: opaque,
    every: integer(1),
    times: integer(1),
    effect: map(opaque),
  },
  { required: ['effect'] },
);

/** The faults that were read, or everything that is wrong with them, one line for each problem. */
export type ReadFaults =
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** Reads one fault, a list of faults, or an object with the list under `faults`. */
export function readFaults(input: unknown): ReadFaults {
  const raws = faultsIn(input);
  if (raws === undefined) {
    return {
      kind: 'problems',
      problems: ['expected a fault, a list of faults, or an object with the list under faults'],
    };
  }
  const read = raws.map((raw, index) => {
    const at = `/faults/${index}`;
    const fault = attempt(() => readFault(raw, at));
    return fault instanceof Refusal ? problemOf(fault) : fault;
  });
  const problems = read.filter((each) => typeof each === 'string');
  return problems.length > 0
    ? { kind: 'problems', problems }
    : { kind: 'faults', faults: read.filter((each) => typeof each !== 'string') };
}

function faultsIn(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) {
    return input;
  }
  if (!isObject(input)) {
    return undefined;
  }
  if ('effect' in input) {
    return [input];
  }
  const { faults, ...others } = input;
  return Array.isArray(faults) && Object.keys(others).length === 0 ? faults : undefined;
}

function problemOf({ message, errors: [error] }: Refusal): string {
  return `${error?.source?.pointer ?? ''}: ${message.replace('invalid JSON: ', '')}`;
}

function readFault(raw: unknown, at: string): Fault {
  checkPlaced(faultShape, raw, at);
  const when = readTrigger(raw, at);
  const effect = readVariant(effects, raw.effect, `${at}/effect`);
  const name = raw.name ?? `${effect.kind} ${when.methods?.join(', ') ?? ''} ${when.path ?? ''}`;
  return { name: name.replaceAll(/\s+/gu, ' ').trim(), when, effect };
}

function readTrigger(raw: ValueOf<typeof faultShape>, at: string): Trigger {
  const { method, path, phase, query, nth, every, times } = raw;
  return {
    methods: typeof method === 'string' ? [method] : method,
    path,
    phase,
    query,
    nth: nth === undefined ? undefined : readNth(nth, `${at}/nth`),
    every,
    times,
  };
}

function readNth(nth: unknown, at: string): readonly number[] {
  const numbers: readonly unknown[] = Array.isArray(nth) ? nth : [nth];
  return numbers.map((number) =>
    Number.isInteger(number) && Number(number) >= 1
      ? Number(number)
      : decline(refuse(400, 'expected a whole number from 1 on, or a list of them', { pointer: at })),
  );
}

/** Reads a fault file (YAML or JSON). Throws an error that names the file and everything that is wrong with it. */
export async function readFaultFile(path: string): Promise<readonly Fault[]> {
  const read = await readText(path, path);
  if (read.kind === 'unread') {
    throw new Error(`the fault file ${path} ${unreadText(read)}`, { cause: read.cause });
  }
  return checkedFaults(await parse(read.text, path), `the fault file ${path}`);
}

/** Checks faults given as a value. Throws an error that lists everything that is wrong with them. */
export function checkedFaults(input: unknown, what = 'the faults'): readonly Fault[] {
  const read = readFaults(input);
  if (read.kind === 'problems') {
    throw new Error(`${what} cannot be used:\n${read.problems.map((line) => `  ${line}`).join('\n')}`);
  }
  return read.faults;
}

async function parse(text: string, path: string): Promise<unknown> {
  // Loaded on demand, because most emulators start without a fault file.
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new Error(`the fault file ${path} is not YAML: ${problem.message}`);
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  return value;
}
