import { canonicalJson } from '../../data/index.ts';
import type { Plan, PlanRollout, PlanWave, ScopePlan, GuardFinding, PlanShard } from '../../model/index.ts';
import { scopeLabel } from '../../model/index.ts';
import { reachOf } from '../../rollout/index.ts';
import { guardRun, withoutAllowed } from '../guard/guard-scope.ts';
import { sharedLabels } from './check-plan.ts';
import { makePlan, withRollout } from './make-plan.ts';

/** A plan with the name of its file. */
export interface NamedPlan {
  readonly file: string;
  readonly plan: Plan;
}

/** A shard's plan with the name of its file. */
interface NamedShard extends NamedPlan {
  readonly shard: PlanShard;
}

/** The plan of the whole run, or what is wrong with the shards. */
export type MergedPlans =
  /** `missing`: numbers of the missing shards; empty unless `partial` was given. */
  | { readonly kind: 'merged'; readonly plan: Plan; readonly missing: readonly number[] }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/**
 * Merges the plans of a run's shards into the plan that one machine would have made of all scopes, with the findings of guards about the whole.
 * Refused are shards of different runs, two of the same part, and, unless `partial`, missing ones. `today` is `YYYY-MM-DD`, for allowances that
 * end.
 */
export function mergePlans(
  plans: readonly NamedPlan[],
  { partial, today }: { readonly partial: boolean; readonly today: string },
): MergedPlans {
  const shards = plans.flatMap(({ file, plan }): readonly NamedShard[] =>
    plan.shard === undefined ? [] : [{ file, plan, shard: plan.shard }],
  );
  const whole = plans.filter(({ plan }) => plan.shard === undefined);
  const [first] = shards;
  if (first === undefined || whole.length > 0) {
    return refused(whole.map(({ file }) => `${file} is not a shard: it was made without --shard`));
  }
  const strange = shards.flatMap((shard) => differences(first, shard));
  if (strange.length > 0) {
    return refused(strange);
  }
  const { count, scopes: total, safety } = first.shard;
  const had = new Set(shards.map(({ shard }) => shard.index));
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !had.has(index));
  const { placed, problems } = place(shards);
  const absent = missing.length > 0 && !partial ? [missingProblem(missing, count)] : [];
  const lost =
    missing.length === 0 && problems.length === 0 && placed.size !== total
      ? [`the shards have ${placed.size} of the ${total} scopes of their run`]
      : [];
  if (problems.length + absent.length + lost.length > 0) {
    return refused([...problems, ...absent, ...lost]);
  }
  const scopes = [...placed].sort(([a], [b]) => a - b).map(([, scope]) => scope);
  const settings = settingsFindings(shards);
  const findings = [
    ...withoutAllowed(settings, safety, today),
    ...(missing.length === 0
      ? []
      : [incomplete(missingProblem(missing, count), { lacking: total - placed.size, total })]),
    ...guardRun(scopes, safety, today),
  ];
  const plan = makePlan(first.plan.baseUrl, scopes, findings);
  const rollout = mergeRollouts(shards, scopes);
  return { kind: 'merged', plan: rollout === undefined ? plan : withRollout(plan, rollout), missing };
}

/** Returns the waves of the whole run: those of each shard have its own scopes, and are alike otherwise. */
function mergeRollouts(shards: readonly NamedShard[], scopes: readonly ScopePlan[]): PlanRollout | undefined {
  const rollout = shards[0]?.plan.rollout;
  if (rollout === undefined) {
    return undefined;
  }
  const waves = rollout.waves.map((wave) => {
    const all = shards.flatMap(({ plan }) => plan.rollout?.waves.find(isSame(wave))?.scopes ?? []);
    const own = new Set(all);
    const labels = scopes.map(({ scope }) => scopeLabel(scope)).filter((label) => own.has(label));
    return {
      ...wave,
      scopes: labels,
      ...(wave.reaches === undefined ? {} : { reaches: reachOf(labels, scopes) }),
    };
  });
  return { ...rollout, waves };
}

function isSame({ number }: PlanWave): (other: PlanWave) => boolean {
  return (other) => other.number === number;
}

/**
 * The finding about missing shards: that a scope is missing does not mean that it needs no change. Readers of the plan have to be told, and
 * whoever applies it has to agree.
 */
function incomplete(
  problem: string,
  { lacking, total }: { readonly lacking: number; readonly total: number },
): GuardFinding {
  const message = `${problem}: ${lacking} of the ${total} scopes of the run are not in this plan`;
  return { kind: 'incomplete', effect: 'refuse', message };
}

/** Returns the findings about the guards' own settings; they are the same in every shard if the base revision was the same. */
function settingsFindings(shards: readonly NamedShard[]): readonly GuardFinding[] {
  const found = shards.flatMap(({ plan }) => (plan.findings ?? []).filter(({ kind }) => kind === 'settings'));
  return [...new Map(found.map((finding) => [canonicalJson(finding), finding])).values()];
}

function refused(problems: readonly string[]): MergedPlans {
  return { kind: 'refused', problems };
}

/** Returns why two shards are not of the same run. */
function differences(first: NamedShard, other: NamedShard): readonly string[] {
  const between = `${other.file} and ${first.file}`;
  const { shard, plan } = other;
  const facts: readonly (readonly [string, unknown, unknown])[] = [
    ['were planned for different services', plan.baseUrl, first.plan.baseUrl],
    ['were made by different versions of rulewright', shard.version, first.shard.version],
    ['are of runs with another number of shards', shard.count, first.shard.count],
    ['have other waves', wavesOf(plan), wavesOf(first.plan)],
    [
      'were made from other files, settings or selections of scopes',
      [shard.run, shard.scopes, shard.safety],
      [first.shard.run, first.shard.scopes, first.shard.safety],
    ],
  ];
  const found = facts.find(([, mine, its]) => canonicalJson(mine) !== canonicalJson(its));
  return found === undefined ? [] : [`${between} ${found[0]}`];
}

/** Returns what the waves of all shards of a run have in common. */
function wavesOf({ rollout }: Plan): unknown {
  return rollout === undefined
    ? null
    : {
        ...rollout,
        waves: rollout.waves.map(({ number, kind, title, wanted }) => ({ number, kind, title, wanted })),
      };
}

/** Puts every scope at its place in the run; two scopes at one place, and shards without places for their scopes, are problems. */
function place(shards: readonly NamedShard[]): {
  readonly placed: ReadonlyMap<number, ScopePlan>;
  readonly problems: readonly string[];
} {
  const placed = new Map<number, ScopePlan>();
  const files = new Map<number, string>();
  const problems: string[] = [];
  for (const { file, plan, shard } of shards) {
    const twin = files.get(shard.index);
    if (twin !== undefined) {
      problems.push(`${file} and ${twin} are both shard ${shard.index} of ${shard.count}`);
      continue;
    }
    files.set(shard.index, file);
    if (shard.places.length !== plan.scopes.length) {
      problems.push(`${file} does not say where each of its scopes belongs`);
    }
    plan.scopes.forEach((scope, at) => {
      const where = shard.places[at] ?? shard.scopes;
      if (placed.has(where) || where >= shard.scopes) {
        problems.push(`${file}: place ${where} of the run is taken, or there is none`);
      }
      placed.set(where, scope);
    });
  }
  // A shard knows only its own scopes, so labels that are unique within it may be shared by another shard.
  const shared = sharedLabels([...placed.values()]);
  problems.push(
    ...shared.map(
      (label) =>
        `two scopes are called ${label}: name these zones in the files as NAME@ACCOUNT_ID, not by their ids`,
    ),
  );
  return { placed, problems };
}

function missingProblem(missing: readonly number[], count: number): string {
  const named = missing.map((index) => `${index}/${count}`).join(', ');
  return missing.length === 1 ? `shard ${named} is missing` : `the shards ${named} are missing`;
}
