import type { WriteClient } from '../../api/index.ts';
import { ServiceError } from '../../api/index.ts';
import { groupBy } from '../../data/index.ts';
import type { Base, LiveRuleset, Outcome, PlannedScope, Step } from '../../model/index.ts';
import { errorFacts } from '../../model/index.ts';
import type { Clock } from '../../network/index.ts';
import { lookUp, readBase } from '../base/look-up.ts';
import type { RecordedStep } from '../journal/read-journal.ts';
import type { RecordedWrites } from '../journal/read-rollout.ts';
import type { RecordedObject } from '../journal/recorded-objects.ts';
import type { Trail } from '../write/scope-run.ts';
import { undoingRun } from '../write/scope-run.ts';
import type { RollbackRun, WrittenPlan } from './roll-back.ts';

/** What an earlier run wrote, as this one would put back what it wrote itself. */
export interface EarlierPlan {
  readonly written: WrittenPlan;
  /** The steps of which it is not known any more what was there before. */
  readonly lost: readonly Outcome[];
}

/** What reading the writes of an earlier run takes. */
export interface EarlierMeans extends Pick<RollbackRun, 'journal'> {
  /** Returns the client for the environment variable that the run took a scope's token from. Throws when it is not set. */
  readonly clientFor: (tokenEnv: string | undefined) => WriteClient;
  readonly clock: Clock;
}

/**
 * Finds out from the journal of an earlier run, and from the versions that the service keeps, what it wrote, what was there before, and what it left.
 * Only what live still has as the journal says is taken for its work.
 */
export async function earlierWrites(
  { wrote, back }: RecordedWrites,
  { clientFor, journal, clock }: EarlierMeans,
): Promise<EarlierPlan> {
  const steps = wrote.steps.map((step) =>
    asLeftBy(
      step,
      back.flatMap((run) => run.steps),
    ),
  );
  const lost: Outcome[] = [];
  const scopes: WrittenPlan['scopes'][number][] = [];
  for (const own of groupBy(
    steps.filter(({ landed, inFlight }) => landed > 0 || inFlight !== null),
    ({ scope, tokenEnv }) => `${tokenEnv ?? ''} ${scope.kind} ${scope.id}`,
  ).values()) {
    const [first] = own;
    if (first !== undefined) {
      const client = clientFor(first.tokenEnv);
      const trails = new Map<string, Trail>();
      for (const step of own) {
        const found = await trailOf(step, client);
        if (found.kind === 'trail') {
          trails.set(step.step, found.trail);
        } else {
          lost.push(found.outcome);
        }
      }
      const { scope } = first;
      const run = { scope, access: { kind: 'write', client }, strategy: 'auto', journal } as const;
      const plan = emptyPlan(
        first,
        own.map(({ target, base }) => ({ target, base })),
      );
      scopes.push({ plan, run: { ...undoingRun(run), trails } });
    }
  }
  return { written: { scopes, ...objectsOf(wrote.objects, { clientFor, journal, clock }) }, lost };
}

/** Returns a step with what rollbacks have written of it since: that is what live has. */
function asLeftBy(step: RecordedStep, back: readonly RecordedStep[]): RecordedStep {
  const since = back.filter((one) => one.step === step.step && (one.landed > 0 || one.inFlight !== null));
  const last = since.at(-1);
  const { made = step.made } = since.findLast((one) => one.made !== undefined) ?? {};
  return last === undefined
    ? step
    : {
        ...step,
        landed: since.reduce((sum, { landed }) => sum + landed, step.landed),
        ...(made === undefined ? {} : { made }),
        inFlight: last.inFlight,
      };
}

type FoundTrail =
  | { readonly kind: 'trail'; readonly trail: Trail }
  | { readonly kind: 'lost'; readonly outcome: Outcome };

async function trailOf(recorded: RecordedStep, client: WriteClient): Promise<FoundTrail> {
  try {
    return await readTrail(recorded, client);
  } catch (error) {
    if (error instanceof ServiceError) {
      const message = `was not put back: live could not be read. ${error.message}`;
      return {
        kind: 'lost',
        outcome: { kind: 'failed', step: recorded.step, ...errorFacts(error), message, writes: 0 },
      };
    }
    throw error;
  }
}

async function readTrail(recorded: RecordedStep, client: WriteClient): Promise<FoundTrail> {
  const { step: id, scope, target, base, inFlight } = recorded;
  const before = await readBase(client, scope, base);
  if (before === null && base.kind === 'version') {
    return lost(recorded, `was not put back: the service no longer keeps version ${base.version}`);
  }
  const left = await leftBy(recorded, before, client);
  if (left === undefined) {
    return lost(recorded, 'was not put back: the journal does not say which version was written');
  }
  const staying = (before?.rules ?? []).flatMap((rule) =>
    recorded.moves?.includes(rule.id) === true ? [] : [rule.id],
  );
  const step: Step = { id, target, base, after: [], operation: 'update', changes: [], staying };
  return {
    kind: 'trail',
    trail: {
      step,
      before,
      left,
      // By now it has landed or never will: commands wait for that before they do anything.
      inFlight:
        inFlight === null || inFlight.write === null
          ? null
          : { write: inFlight.write, effect: { kind: 'landed', version: null } },
    },
  };
}

/** Returns the ruleset as the last recorded write left it; undefined when that is not known. */
async function leftBy(
  { scope, target, base, landed, made }: RecordedStep,
  before: LiveRuleset | null,
  client: WriteClient,
): Promise<LiveRuleset | null | undefined> {
  if (landed === 0) {
    return before;
  }
  if (made === undefined || made === null) {
    return made;
  }
  const absent: Base = { kind: 'absent' };
  const live =
    (await lookUp(client, scope, target, base)) ??
    (base.kind === 'absent' ? null : await lookUp(client, scope, target, absent));
  if (live === null || live.version === made) {
    return live;
  }
  const { id, lastUpdated } = live;
  return (await readBase(client, scope, { kind: 'version', id, version: made, lastUpdated })) ?? undefined;
}

function lost({ step }: RecordedStep, message: string): FoundTrail {
  return {
    kind: 'lost',
    outcome: {
      kind: 'refused',
      step,
      code: 'apply/touched',
      message,
      hint: 'rulewright versions shows what there was, and rulewright rollback goes back to one',
      writes: 0,
    },
  };
}

/** Returns a scope as a plan without steps: what is to be put back goes by what was written. */
function emptyPlan(
  { scope, tokenEnv }: Pick<RecordedStep, 'scope' | 'tokenEnv'>,
  bases: PlannedScope['bases'] = [],
): PlannedScope {
  return { kind: 'planned', scope, tokenEnv, bases, steps: [], findings: [], notes: [] };
}

function objectsOf(
  recorded: readonly RecordedObject[],
  { clientFor, journal, clock }: EarlierMeans,
): Pick<WrittenPlan, 'having' | 'outcomes'> {
  const written = recorded.filter(({ landed, sentAt }) => landed > 0 || sentAt !== null);
  return {
    having: written.flatMap(({ scope, tokenEnv, saved }) =>
      saved === null
        ? []
        : [
            {
              plan: emptyPlan({ scope, tokenEnv }),
              objects: [saved],
              run: {
                scope,
                access: { kind: 'write', client: clientFor(tokenEnv) },
                journal,
                clock,
                report: () => undefined,
                signal: undefined,
              },
            },
          ],
    ),
    outcomes: written.map(({ step, landed }) => ({
      kind: 'done',
      step,
      version: null,
      writes: Math.max(1, landed),
    })),
  };
}
