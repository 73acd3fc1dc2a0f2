import { gzipSync } from 'node:zlib';
import { Refusal } from './refusal.ts';

/** The `result_info` of an answer, which says where it is among the pages; its members differ by endpoint (api.md 1.3). */
export type AnswerInfo = Readonly<Record<string, unknown>>;

/** A successful answer: a value, JSON text that is already rendered, null members only, or nothing (HTTP 204). */
export type Answer =
  | {
      readonly kind: 'result';
      readonly result: unknown;
      readonly resultInfo?: AnswerInfo;
      readonly messages?: readonly unknown[];
    }
  | { readonly kind: 'rendered'; readonly json: string }
  | { readonly kind: 'nulls' }
  /** Data in the form of GraphQL, which has no envelope. */
  | { readonly kind: 'graphql'; readonly data: unknown; readonly errors: readonly unknown[] | null }
  | { readonly kind: 'empty' };

/** Answers with a value. */
export function result(value: unknown, resultInfo?: AnswerInfo): Answer {
  return resultInfo === undefined
    ? { kind: 'result', result: value }
    : { kind: 'result', result: value, resultInfo };
}

/** Answers with JSON text that is already rendered. */
export function rendered(json: string): Answer {
  return { kind: 'rendered', json };
}

/** Answers a success whose result, errors and messages are null, as a few old services do (api.md 1.2). */
export function nulls(): Answer {
  return { kind: 'nulls' };
}

/** Answers with data in the form of GraphQL, or with errors alone. */
export function graphql(data: unknown, errors: readonly unknown[] | null = null): Answer {
  return { kind: 'graphql', data, errors };
}

/** Answers HTTP 204 without a body. */
export function empty(): Answer {
  return { kind: 'empty' };
}

/** Status, body and extra headers of an answer or a refusal, in the envelope of api.md 1.2. */
export interface Envelope {
  readonly status: number;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Wraps an answer or refusal in an envelope. A dry run shows no result (api.md 2.4). */
export function envelope(outcome: Answer | Refusal, mode: 'real' | 'dry-run' = 'real'): Envelope {
  if (outcome instanceof Refusal) {
    const { messages = [], headers = {} } = outcome.extras;
    const body = JSON.stringify({ result: null, success: false, errors: outcome.errors, messages });
    return { status: outcome.status, body, headers };
  }
  if (outcome.kind === 'empty') {
    return { status: 204, body: null, headers: {} };
  }
  if (outcome.kind === 'nulls') {
    const body = JSON.stringify({ result: null, success: true, errors: null, messages: null });
    return { status: 200, body, headers: {} };
  }
  if (outcome.kind === 'graphql') {
    return { status: 200, body: JSON.stringify({ data: outcome.data, errors: outcome.errors }), headers: {} };
  }
  if (mode === 'dry-run') {
    return success('null', '');
  }
  if (outcome.kind === 'rendered') {
    return success(outcome.json, '');
  }
  const info = outcome.resultInfo === undefined ? '' : `,"result_info":${JSON.stringify(outcome.resultInfo)}`;
  return success(JSON.stringify(outcome.result), info, outcome.messages);
}

function success(json: string, info: string, messages: readonly unknown[] = []): Envelope {
  const body = `{"result":${json},"success":true,"errors":[],"messages":${JSON.stringify(messages)}${info}}`;
  return { status: 200, body, headers: {} };
}

/** A body as it is sent, and the headers that describe its encoding. */
export interface Packed {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Shorter bodies are sent uncompressed: compression would not save a network packet. */
const MIN_PACKED_LENGTH = 1000;

/** Matches `gzip` in a list of encodings, unless its weight is zero. */
const TAKES_GZIP = /(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?:1|0\.0*[1-9]))/iu;

/** Compresses a body for clients that accept gzip, as the edge in front of the real service does. */
export function packed(body: string | null, accepted: string | undefined): Packed {
  return body === null || body.length < MIN_PACKED_LENGTH || !TAKES_GZIP.test(accepted ?? '')
    ? { body, headers: {} }
    : { body: new Uint8Array(gzipSync(body, { level: 1 })), headers: { 'content-encoding': 'gzip' } };
}

/** Creates a source of values for the `cf-ray` header, which are numbered from 1. */
export function rayIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${count.toString(16).padStart(16, '0')}-EMU`;
  };
}

/** The HTTP methods of the operations. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
