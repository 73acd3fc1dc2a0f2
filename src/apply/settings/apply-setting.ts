import {
  decodeResult,
  decodeSetting,
  getSetting,
  hasStatus,
  orElse,
  settingRequest,
} from '../../api/index.ts';
import type { ReadClient } from '../../api/index.ts';
import { plainJson } from '../../data/index.ts';
import { errorFacts, knownError, RulewrightError, settingFacts } from '../../model/index.ts';
import type { LiveSetting, Outcome, SettingFacts, SettingStep } from '../../model/index.ts';
import { isSettingAt, reverseSettingStep } from '../../plan/index.ts';
import { insisting } from '../base/look-up.ts';
import type { ManagedObject, ObjectBegun, ObjectRun, ObjectWritten } from '../objects/object-run.ts';
import { ATTEMPTS, UNREAD, carryOut } from '../objects/object-run.ts';
import { failureOf, inDoubt } from '../write/write-failure.ts';

/** Settings of zones. A step is one write. */
export const SETTING_OBJECTS: ManagedObject<SettingStep> = {
  apply: (step, run) => {
    const facts = factsOf(step);
    return carryOut<SettingFacts, LiveSetting>(step, run, {
      writes: [facts],
      begin: () => begin(step, run),
      saved: { kind: 'saved-setting', step: step.id, setting: plainJson(step) },
      recorded: () => ({
        write: plainJson({ kind: 'set', setting: step.target.name, fields: step.fields }),
        base: { kind: 'setting' },
      }),
      send: (_, live) => send(step, live, run),
      finish: (live, writes) => finish(step, live, { run, writes }),
    });
  },
  moved: async (steps, { client, scope }) => {
    const found = await Promise.all(
      steps.map(async (step): Promise<readonly Outcome[]> => {
        try {
          const live = await getSetting(client, scope.id, factsOf(step));
          return isSettingAt(step, live, 'before') ? [] : [stale(step, live)];
        } catch (error) {
          return [{ kind: 'failed', step: step.id, ...errorFacts(knownError(error)), writes: 0 }];
        }
      }),
    );
    return found.flat();
  },
  isDone: async (step, { client, scope }) =>
    isSettingAt(step, await getSetting(client, scope.id, factsOf(step)), 'after'),
  reverse: async (step, { client, scope }) =>
    reverseSettingStep(step, await getSetting(client, scope.id, factsOf(step))),
};

function factsOf({ target: { name } }: SettingStep): SettingFacts {
  const facts = settingFacts(name);
  if (facts === undefined) {
    throw new RulewrightError(`This version does not know the setting ${name}`, {
      code: 'plan/unknown-setting',
      fault: 'user',
      hint: 'the plan was made by another version: plan again',
    });
  }
  return facts;
}

/** Reads the setting, and ends the step unless it can start from there. */
async function begin(
  step: SettingStep,
  { access: { client }, scope }: Pick<ObjectRun, 'access' | 'scope'>,
): Promise<ObjectBegun<LiveSetting>> {
  const live = await getSetting(client, scope.id, factsOf(step));
  if (isSettingAt(step, live, 'before')) {
    return { kind: 'ready', now: live };
  }
  return {
    kind: 'over',
    outcome: isSettingAt(step, live, 'after')
      ? { kind: 'skipped', step: step.id, reason: 'live already matches this step' }
      : stale(step, live),
  };
}

function stale(step: SettingStep, live: LiveSetting): Outcome {
  return {
    kind: 'refused',
    step: step.id,
    code: 'apply/stale',
    message: `the setting changed since the plan was made: ${valuesText(step, live)}`,
    hint: 'plan again, and look at what the new plan says',
    writes: 0,
  };
}

/** Says of each field what it is now, and what it was when the plan was made. */
function valuesText({ fields }: SettingStep, { values }: LiveSetting): string {
  return fields
    .map(({ path, before }) => {
      const name = path === '' ? '' : `${path.slice(1)} `;
      return `${name}then ${JSON.stringify(before)}, now ${JSON.stringify(values.get(path) ?? null)}`;
    })
    .join('; ');
}

async function send(
  step: SettingStep,
  live: LiveSetting,
  { access, scope, signal }: ObjectRun,
): Promise<ObjectWritten<LiveSetting>> {
  if (access.kind === 'dry-run') {
    return { kind: 'interrupted' };
  }
  const facts = factsOf(step);
  let now = live;
  for (let attempt = 1; ; attempt += 1) {
    // A write that has to name every field repeats the others as they were just read, not as they were before it had to wait.
    const request = settingRequest(scope.id, facts, {
      fields: step.fields,
      live: now,
    });
    const sent = await orElse(
      access.client.send(request).then((answer) => ({ kind: 'answered' as const, answer })),
      (error) => ({ kind: 'failed' as const, error }),
    );
    if (sent.kind === 'answered') {
      return { kind: 'landed', now: decodeResult(sent.answer, decodeSetting(facts)) };
    }
    const { error } = sent;
    const isDelayed = request.once === true && hasStatus(error, 429) && attempt < ATTEMPTS;
    if (error.effect !== 'unknown' && !isDelayed) {
      return error.code === 'api/aborted' ? { kind: 'interrupted' } : failureOf(error);
    }
    const seen = await orElse(look(access.client, scope.id, facts), () => null);
    if (seen !== null && isSettingAt(step, seen, 'after')) {
      return { kind: 'landed', now: seen };
    }
    const isOver = attempt === ATTEMPTS || signal?.aborted === true;
    if (isOver || seen === null || !isSettingAt(step, seen, 'before')) {
      return isDelayed
        ? failureOf(error)
        : inDoubt(error, seen === null ? UNREAD : 'The setting does not show the write');
    }
    now = seen;
  }
}

function look(client: ReadClient, zoneId: string, facts: SettingFacts): Promise<LiveSetting> {
  return getSetting(insisting(client), zoneId, facts);
}

/** Checks that the setting holds what was written: by the answer of the write, and where that does not say so, by reading it. */
async function finish(
  step: SettingStep,
  answered: LiveSetting,
  { run, writes }: { readonly run: ObjectRun; readonly writes: number },
): Promise<Outcome> {
  const outcome = { kind: 'done', step: step.id, version: null, writes } as const;
  if (isSettingAt(step, answered, 'after')) {
    return outcome;
  }
  const live = await look(run.access.client, run.scope.id, factsOf(step));
  return isSettingAt(step, live, 'after')
    ? outcome
    : {
        kind: 'conflict',
        step: step.id,
        message: `the service took the write, and the setting does not hold it (${valuesText(step, live)}): the service passes over this value, or somebody else changed it at the same time`,
        hint: 'plan again: the plan shows what is different',
        writes,
        allLanded: true,
      };
}
