import {
  decodeResult,
  decodeRuleset,
  dryRun,
  addRuleRequest,
  createRulesetRequest,
  deleteRuleRequest,
  deleteRulesetRequest,
  updateRuleRequest,
  updateRulesetRequest,
  ServiceError,
  orElse,
} from '../../api/index.ts';
import type {
  DryRunClient,
  WriteClient,
  WriteRequest,
  CreateRuleset,
  WirePosition,
  RuleAt,
  UpdateRuleset,
} from '../../api/index.ts';
import { assertNever } from '../../data/index.ts';
import type { LiveRuleset, Scope } from '../../model/index.ts';
import type { Anchor, Write } from '../../plan/index.ts';

/** Sends one write; returns the ruleset after it, null when the service returns none. */
export async function sendWrite(
  client: WriteClient,
  place: WritePlace,
  write: Write,
  before: LiveRuleset | null,
): Promise<LiveRuleset | null> {
  const answer = await client.send(writeRequest(place, write, before));
  // The answer to a deleted rule may have an empty body (api.md 2.1 row 12).
  const isEmpty = write.kind === 'delete-rule' && answer.result === null;
  return write.kind === 'delete-ruleset' || isEmpty ? null : decodeResult(answer, decodeRuleset);
}

/** Has the service check one write. Rejects as `dryRun` does. */
export function dryRunWrite(
  client: DryRunClient,
  place: WritePlace,
  write: Write,
  before: LiveRuleset | null,
): Promise<void> {
  return dryRun(client, writeRequest(place, write, before));
}

/** Where a write goes; the phase determines the permission that it needs. */
interface WritePlace {
  readonly scope: Scope;
  readonly phase: string;
}

function writeRequest({ scope, phase }: WritePlace, write: Write, before: LiveRuleset | null): WriteRequest {
  return { ...requestOf(scope, write, before), phase };
}

function requestOf(scope: Scope, write: Write, before: LiveRuleset | null): WriteRequest {
  switch (write.kind) {
    case 'create-ruleset':
      return createRulesetRequest(scope, creationOf(write));
    case 'put-ruleset':
      return updateRulesetRequest(scope, write.id, updateOf(write));
    case 'add-rule': {
      const at = { scope, rulesetId: write.id };
      return addRuleRequest(at, write.rule, positionOf(write.behind, before));
    }
    case 'patch-rule': {
      const position = write.behind === null ? undefined : positionOf(write.behind, before);
      return updateRuleRequest(ruleAt(scope, write), write.rule, position);
    }
    case 'delete-rule':
      return deleteRuleRequest(ruleAt(scope, write));
    case 'delete-ruleset':
      return deleteRulesetRequest(scope, write.id);
    default:
      return assertNever(write);
  }
}

function ruleAt(scope: Scope, { id, ruleId }: { readonly id: string; readonly ruleId: string }): RuleAt {
  return { scope, rulesetId: id, ruleId };
}

function creationOf(write: Extract<Write, { readonly kind: 'create-ruleset' }>): CreateRuleset {
  const { level: kind, phase, name } = write.target;
  return { name, kind, phase, description: write.description, rules: write.rules };
}

function updateOf(write: Extract<Write, { readonly kind: 'put-ruleset' }>): UpdateRuleset {
  return {
    ...(write.description === null ? {} : { description: write.description }),
    ...(write.rules === null ? {} : { rules: write.rules }),
  };
}

/** Positions are relative: an index would mean another place after somebody else's write. */
function positionOf(behind: Anchor, before: LiveRuleset | null): WirePosition {
  switch (behind.kind) {
    case 'first':
      return { before: '' };
    case 'live':
      return { after: behind.id };
    case 'new': {
      const made = before?.rules.find((rule) => rule.ref === behind.ref);
      return { after: made?.id ?? '' };
    }
    default:
      return assertNever(behind);
  }
}

/** A write that failed. */
export interface Failing {
  /** The first failure and the last one; the same if the write was sent once. */
  readonly first: ServiceError;
  readonly error: ServiceError;
  /** How often the write was sent. */
  readonly count: number;
  /** The first failure without an answer from the service itself, after which the write may still land; null when there is none. */
  readonly lost: ServiceError | null;
}

/** Maximum number of times that a write is sent, each time only after it is certain that the previous one did nothing. */
export const ATTEMPTS = 3;

/** How to send a write, and how to find out what it did. */
interface Sending<Answer, Result> {
  readonly send: () => Promise<Answer>;
  readonly answered: (answer: Answer) => Result | Promise<Result>;
  /** Returns `repeat` only when it is certain that the write did nothing, and the write was sent fewer than `ATTEMPTS` times. */
  readonly failed: (failing: Failing) => Promise<Result | 'repeat'>;
}

/** Sends a write until its result is known, or is known to be unknowable. Throws errors that are no failures of the service. */
export async function sendUntilKnown<Answer, Result extends object>({
  send,
  answered,
  failed,
}: Sending<Answer, Result>): Promise<Result> {
  let first: ServiceError | null = null;
  let lost: ServiceError | null = null;
  for (let count = 1; ; count += 1) {
    const sent = await orElse(
      send().then((answer) => ({ answer })),
      (error) => error,
    );
    if (!(sent instanceof ServiceError)) {
      return answered(sent.answer);
    }
    first ??= sent;
    lost ??= mayComeLate(sent) ? sent : null;
    const result = await failed({ first, error: sent, count, lost });
    if (result !== 'repeat') {
      return result;
    }
  }
}

/** Whether a write may land after its sender was told that it failed, since no answer came from the service itself. */
export function mayComeLate(error: ServiceError): boolean {
  return error.effect === 'unknown' && error.errors.length === 0;
}
