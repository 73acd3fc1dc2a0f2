import type {
  Drift,
  DriftChange,
  GuardFinding,
  Plan,
  Protection,
  RuleChange,
  ScopePlan,
} from '../model/index.ts';
import type { ToEveryRequest } from '../model/index.ts';
import { zonedTime } from '../text/index.ts';

/** A moment as reasons say it. Plans have it in UTC, so that it means the same to every program. */
const MOMENT = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) UTC\b/gu;

/** Returns a plan whose reasons, for people, say moments in the time zone of its project. */
export function withLocalReasons(plan: Plan): Plan {
  return plan.scopes.some((scope) => timeZoneOf(scope) !== undefined)
    ? { ...plan, scopes: plan.scopes.map((scope) => localScope(scope)) }
    : plan;
}

/** Returns drift as `withLocalReasons` returns a plan. */
export function withLocalDrift(drift: Drift): Drift {
  const timeZone = drift.plan.scopes.map(timeZoneOf).find((one) => one !== undefined);
  return timeZone === undefined
    ? drift
    : {
        ...drift,
        plan: withLocalReasons(drift.plan),
        changes: drift.changes.map((change) => localDriftChange(change, timeZone)),
      };
}

function timeZoneOf(scope: ScopePlan): string | undefined {
  return scope.kind === 'planned' ? scope.timeZone : undefined;
}

function localScope(scope: ScopePlan): ScopePlan {
  if (scope.kind === 'failed' || scope.timeZone === undefined) {
    return scope;
  }
  const { timeZone, steps, objects, findings } = scope;
  return {
    ...scope,
    steps: steps.map((step) => ({
      ...step,
      changes: step.changes.map((change) => localChange(change, timeZone)),
    })),
    ...(objects === undefined
      ? {}
      : {
          objects: objects.map((step) => ({
            ...step,
            protection: localProtection(step.protection, timeZone),
          })),
        }),
    findings: findings.map((finding) => localFinding(finding, timeZone)),
  };
}

function localChange(change: RuleChange, timeZone: string): RuleChange {
  const { ends, opens } = change;
  return {
    ...change,
    protection: localProtection(change.protection, timeZone),
    ...(ends === undefined ? {} : { ends: localClauses(ends, timeZone) }),
    ...(opens === undefined ? {} : { opens: localClauses(opens, timeZone) }),
  };
}

function localProtection(protection: Protection, timeZone: string): Protection {
  return protection.kind === 'neutral'
    ? protection
    : { ...protection, reason: local(protection.reason, timeZone) };
}

function localClauses(clauses: ToEveryRequest, timeZone: string): ToEveryRequest {
  const { forth, back } = clauses;
  return {
    ...(forth === undefined ? {} : { forth: local(forth, timeZone) }),
    ...(back === undefined ? {} : { back: local(back, timeZone) }),
  };
}

function localFinding(finding: GuardFinding, timeZone: string): GuardFinding {
  return {
    ...finding,
    message: local(finding.message, timeZone),
    ...(finding.reason === undefined ? {} : { reason: local(finding.reason, timeZone) }),
  };
}

function localDriftChange(change: DriftChange, timeZone: string): DriftChange {
  const { reason, everyRequest, unprotected } = change;
  return {
    ...change,
    ...(reason === undefined ? {} : { reason: local(reason, timeZone) }),
    ...(everyRequest === undefined ? {} : { everyRequest: local(everyRequest, timeZone) }),
    ...(unprotected === undefined ? {} : { unprotected: local(unprotected, timeZone) }),
  };
}

function local(reason: string, timeZone: string): string {
  return reason.replaceAll(MOMENT, (_, day: string, time: string) => {
    const seconds = Date.parse(`${day}T${time}Z`) / 1000;
    return `${zonedTime(seconds, timeZone)} ${timeZone}`;
  });
}
