import { resolve } from 'node:path';
import type { MergedJournals, NamedJournal } from '../apply/index.ts';
import { mergeJournals } from '../apply/index.ts';
import { readText } from '../files/index.ts';
import { authorsAmong, RulewrightError } from '../model/index.ts';
import { isJsonObject, objectOf, parsedJson } from '../data/index.ts';
import type { ChangeAuthors, Diagnostic, DriftChange, EndingRule, ReplayDocument } from '../model/index.ts';
import { joinReplayShards } from '../traffic/index.ts';
import type { MergedPlans, NamedPlan } from '../plan/index.ts';
import { mergePlans } from '../plan/index.ts';
import { validateResult } from './generated/validate-result.mjs';
import { readPlan } from './planning/read-plan.ts';

/**
 * The merged plan, drift report or journal of the shards. `failed` holds the message of each failed shard; it is empty unless
 * `partial` is set.
 */
export type MergeResult =
  | (Extract<MergedPlans, { readonly kind: 'merged' }> &
      DocumentKind<'plan' | 'drift'> & {
        /** The rules of the files that end, by the drift reports; each shard has read all files. */
        readonly ends: readonly EndingRule[];
        /** Who made the differences, by the drift reports. */
        readonly authors: ChangeAuthors;
      })
  | (Extract<MergedJournals, { readonly kind: 'merged' }> & DocumentKind<'journal'>)
  | {
      readonly kind: 'merged';
      readonly of: 'replay';
      readonly replay: ReplayDocument;
      readonly failed: readonly string[];
    }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

interface DocumentKind<Kind> {
  readonly of: Kind;
  readonly failed: readonly string[];
}

interface RunDocument extends NamedJournal {
  readonly of: 'plan' | 'drift' | 'journal' | 'replay';
  /** The unvalidated JSON of the plan or the counted replay, or of the document that holds it; null for a journal. */
  readonly value: unknown;
  /** The rules that end, by a drift report. */
  readonly ends: readonly EndingRule[];
  /** The differences that a drift report tells, with who made them. */
  readonly changes: readonly DriftChange[];
}

/** The error report of a shard that failed without a plan. */
interface Failed {
  readonly of: 'failed';
  readonly said: string;
}

/**
 * Merges the plans, the drift reports, the journals or the counted replays of the shards of a run. The files are untrusted: every plan is checked like
 * one that is to be applied. Throws `merge/unreadable` for an unreadable file, and for the report of a failed shard unless
 * `partial`.
 */
export async function merge(
  files: readonly string[],
  { cwd, partial, today }: { readonly cwd: string; readonly partial: boolean; readonly today: string },
): Promise<MergeResult> {
  const read = await Promise.all(files.map((file) => readPart(cwd, file)));
  const failed = read.flatMap((part) => (part.of === 'failed' ? [part.said] : []));
  const parts = read.flatMap((part) => (part.of === 'failed' ? [] : [part]));
  if (failed.length > 0 && (!partial || parts.length === 0)) {
    const hint = failed.length === 1 ? 'run this shard again' : 'run these shards again';
    throw unreadable(failed.join('\n'), { hint });
  }
  const kinds = [...new Set(parts.map(({ of }) => of))];
  const [of] = kinds;
  if (of === undefined || kinds.length > 1) {
    const said = parts.map(({ file, of, text }) => `${file} is ${text === '' ? 'empty' : `a ${WORDS[of]}`}`);
    return { kind: 'refused', problems: [`files of one kind belong together: ${said.join(', ')}`] };
  }
  if (of === 'journal') {
    const merged = mergeJournals(parts);
    return merged.kind === 'merged' ? { ...merged, of, failed } : merged;
  }
  if (of === 'replay') {
    const joined = joinReplayShards(parts);
    return joined.kind === 'joined' ? { kind: 'merged', of, replay: joined.replay, failed } : joined;
  }
  const checked = parts.map(({ file, value }) => ({ file, read: readPlan(file, value) }));
  const diagnostics = checked.flatMap(({ read }) => (read.kind === 'invalid' ? read.diagnostics : []));
  if (diagnostics.length > 0) {
    return { kind: 'invalid', diagnostics };
  }
  const plans = checked.flatMap(({ file, read }): readonly NamedPlan[] =>
    read.kind === 'read' ? [{ file, plan: read.plan }] : [],
  );
  const merged = mergePlans(plans, { partial, today });
  const authors = authorsAmong(parts.flatMap((part) => part.changes));
  const ends = [
    ...new Map(parts.flatMap((part) => part.ends.map((one) => [JSON.stringify(one), one] as const))).values(),
  ];
  return merged.kind === 'merged' ? { ...merged, of, failed, ends, authors } : merged;
}

const WORDS = {
  plan: 'plan',
  drift: 'drift report',
  journal: 'journal',
  replay: 'part of a replay',
} as const;

async function readPart(cwd: string, file: string): Promise<RunDocument | Failed> {
  const text = await textOf(cwd, file);
  // Undefined for a text that is not one JSON value, such as a journal of several lines.
  const value = parsedJson(text);
  const kind = isJsonObject(value) ? value['kind'] : null;
  if (kind === 'plan') {
    return { file, text, of: 'plan', value, ends: [], changes: [] };
  }
  if (isJsonObject(value) && kind === 'drift') {
    if (!validateResult(value) || value.kind !== 'drift') {
      throw unreadable(`${file} is not whole`);
    }
    return {
      file,
      text,
      of: 'drift',
      value: value.plan,
      ends: value.ends ?? [],
      changes: value.changes ?? [],
    };
  }
  if (kind === 'replay-shard') {
    return { file, text, of: 'replay', value, ends: [], changes: [] };
  }
  // A process that is killed before it writes the head of its run leaves an empty journal.
  if (text === '' || /^\s*\{[^\n]*"run":/.test(text)) {
    return { file, text, of: 'journal', value: null, ends: [], changes: [] };
  }
  if (isJsonObject(value) && kind === 'error') {
    const { message } = objectOf(value['error']);
    const why = typeof message === 'string' ? `: ${message}` : '';
    return { of: 'failed', said: `${file} tells of a shard that failed${why}` };
  }
  const isCut = value === undefined && text.startsWith('{');
  throw unreadable(isCut ? `${file} is not whole` : `${file} is not a plan, drift report or journal`);
}

async function textOf(cwd: string, file: string): Promise<string> {
  const read = await readText(resolve(cwd, file), file);
  if (read.kind === 'unread') {
    throw unreadable(`${file} ${read.reason}`, { cause: read.cause, hint: read.didYouMean });
  }
  return read.text;
}

function unreadable(
  message: string,
  { hint, cause }: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
): RulewrightError {
  return new RulewrightError(message, {
    code: 'merge/unreadable',
    fault: 'user',
    hint: hint ?? 'give what shards wrote with plan --out, drift --format json --output, or apply --journal',
    cause,
  });
}
