import type { AnalyticsDataset } from '../../api/index.ts';
import {
  analyticsLimits,
  dryRun,
  probeDryRun,
  probeWrite,
  listLists,
  listsPath,
  readAuditLog,
  rulesetPath,
  permissionHint,
  createRulesetRequest,
  getEntrypoint,
  getSetting,
  listRulesets,
  isServiceError,
} from '../../api/index.ts';
import { assertNever } from '../../data/index.ts';
import type { LiveRulesetHead, Scope, DoctorCheck } from '../../model/index.ts';
import { settingFacts, settingFieldName } from '../../model/index.ts';
import type { CheckingClients } from '../planning/preflight-plan.ts';
import { failedCheck, expectedError } from './failed-check.ts';

/** What to check in a scope. */
export interface ScopeProbes {
  /** Phases that the scope's files declare; undefined without files, for the phases that have an entry point. */
  readonly phases: readonly string[] | undefined;
  /** Whether a rule in the scope's files names a list of the account. */
  readonly lists: boolean;
  /** Whether the scope's files declare lists, which plans then have to read. */
  readonly ownLists: boolean;
  /** The settings that the zone's files declare. */
  readonly settings: readonly string[];
  /** The analytics of a zone that the health of waves is judged by. */
  readonly analytics: readonly AnalyticsDataset[];
  /** Whether to probe write access; false for a token that only has to read. */
  readonly writes: boolean;
}

/**
 * Checks what the token may do in a scope: list rulesets, and read and, if wanted, write each phase that the files declare or else
 * that has an entry point. Write probes cannot take effect: the first is a deletion of a rule that cannot exist, and a dry run
 * follows only if that proves that the service honours `dry_run`.
 */
export async function checkScopeAccess(
  clients: CheckingClients,
  scope: Scope,
  { phases, lists, ownLists, settings, analytics, writes }: ScopeProbes,
): Promise<readonly DoctorCheck[]> {
  const plan: readonly DoctorCheck[] =
    scope.plan === undefined ? [] : [{ subject: 'plan', status: 'good', message: scope.plan }];
  let heads: readonly LiveRulesetHead[];
  try {
    heads = await listRulesets(clients.client, scope);
  } catch (error) {
    return [...plan, unread('list of rulesets', error)];
  }
  const level = scope.kind === 'zone' ? 'zone' : 'root';
  const live = heads.filter(({ kind }) => kind === level).map(({ phase }) => phase);
  const wanted = phases ?? live;
  const checks: DoctorCheck[] = [
    { subject: 'list of rulesets', status: 'good', message: 'may be read' },
    ...(wanted.length === 0 && !ownLists && settings.length === 0
      ? [{ subject: 'phases', status: 'unknown', message: 'there is no entry point to try' } as const]
      : []),
  ];
  // One after the other: once one probe has proven that the service honours dry runs, the next ones take fewer requests.
  let honoured = false;
  const later: string[] = [];
  for (const phase of wanted) {
    const found = await readEntry(clients, scope, phase);
    checks.push(found.check);
    if (!writes) {
      continue;
    }
    if (found.kind === 'present') {
      const verdict: ProbeResult = await (honoured ? probeWrite : probeDryRun)(
        clients.check,
        scope,
        found.id,
      );
      honoured ||= verdict === 'honoured';
      checks.push(writeCheck(verdict, { scope, phase }));
    } else if (found.kind === 'absent') {
      later.push(phase);
    }
  }
  for (const phase of later) {
    checks.push(honoured ? await tryCreate(clients, scope, phase) : notTried(phase));
  }
  return [
    ...plan,
    ...checks,
    await checkAuditLog(clients, scope),
    ...(lists || ownLists ? [await checkLists(clients, scope, ownLists)] : []),
    ...(await checkSettings(clients, scope, settings)),
    ...(writes ? notWritten({ scope, ownLists, settings }) : []),
    // Plans never ask for them.
    ...(writes && scope.kind === 'zone' ? await checkAnalytics(clients, scope, analytics) : []),
  ];
}

/** Checks that the audit log of the account can be read; without it, drift does not say who made its changes. */
async function checkAuditLog({ client }: CheckingClients, { accountId }: Scope): Promise<DoctorCheck> {
  const subject = 'audit log';
  try {
    await readAuditLog(client, accountId, { since: 0, before: 1000, mostPages: 1 });
    return { subject, status: 'good', message: 'may be read' };
  } catch (error) {
    const { hint } = failedCheck(subject, expectedError(error));
    const message = 'cannot be read, so drift does not say who made its changes';
    return { subject, status: 'unknown', message, hint };
  }
}

/** Checks that the declared settings can be read: a plan of the zone fails without one of them. */
async function checkSettings(
  { client }: CheckingClients,
  { id }: Scope,
  names: readonly string[],
): Promise<readonly DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  let read = 0;
  for (const facts of names.flatMap((name) => settingFacts(name) ?? [])) {
    try {
      await getSetting(client, id, facts);
      read += 1;
    } catch (error) {
      checks.push(unread(`read setting ${settingFieldName(facts)}`, error));
    }
  }
  const all = read === 1 ? 'the one in the files may be read' : `the ${read} in the files may be read`;
  return read === 0 ? checks : [{ subject: 'read settings', status: 'good', message: all }, ...checks];
}

/** Says what writes were not tried: the service has no dry run for them. */
function notWritten({
  scope,
  ownLists,
  settings,
}: Pick<ScopeProbes, 'ownLists' | 'settings'> & { readonly scope: Scope }): readonly DoctorCheck[] {
  const groups = [...new Set(settings.flatMap((name) => settingFacts(name)?.permission ?? []))];
  const untried = (subject: string, hint: string): DoctorCheck => ({
    subject,
    status: 'unknown',
    message: 'not checked: the service has no dry run for them',
    hint,
  });
  return [
    ...(ownLists
      ? [untried('write lists', permissionHint({ method: 'POST', path: listsPath(scope.accountId) }))]
      : []),
    ...(groups.length === 0
      ? []
      : [
          untried(
            'write settings',
            `the token needs the ${groups.length === 1 ? 'permission' : 'permissions'} ${groups.map((group) => `"${group}" Write`).join(', ')} for this zone`,
          ),
        ]),
  ];
}

/**
 * Checks that the lists of the account can be read. Plans need those that files declare, and else only check that the lists which rules name exist.
 */
async function checkLists(
  { client }: CheckingClients,
  { accountId }: Scope,
  areOwn: boolean,
): Promise<DoctorCheck> {
  const subject = 'read lists';
  try {
    await listLists(client, accountId);
    return { subject, status: 'good', message: 'may be read' };
  } catch (error) {
    const failed = unread(subject, error);
    return isServiceError(error, 403) && !areOwn
      ? {
          ...failed,
          status: 'warning',
          message: 'may not be read: plans cannot check that the lists which rules name are there',
        }
      : failed;
  }
}

/** Checks that the analytics can be asked; without them, the health of waves has no data. */
async function checkAnalytics(
  { client }: CheckingClients,
  { id }: Scope,
  analytics: readonly AnalyticsDataset[],
): Promise<readonly DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  for (const dataset of analytics) {
    const subject = `analytics of ${DATASET_WORDS[dataset]}`;
    try {
      const limits = (await analyticsLimits(client, dataset, [id])).get(id);
      checks.push(
        limits?.kind === 'on'
          ? { subject, status: 'good', message: 'may be asked for' }
          : {
              subject,
              status: 'problem',
              message: 'the plan of the zone does not include them, so the health of waves has no data',
            },
      );
    } catch (error) {
      const { message } = expectedError(error);
      checks.push({
        subject,
        status: 'problem',
        message: `cannot be asked for, so the health of waves has no data (${message})`,
        hint: 'the token needs the permission "Analytics" Read for the zone',
      });
    }
  }
  return checks;
}

const DATASET_WORDS: Readonly<Record<AnalyticsDataset, string>> = {
  requests: 'requests',
  events: 'security events',
};

type EntrypointCheck =
  | { readonly kind: 'present'; readonly id: string; readonly check: DoctorCheck }
  | { readonly kind: 'absent' | 'failed'; readonly check: DoctorCheck };

async function readEntry({ client }: CheckingClients, scope: Scope, phase: string): Promise<EntrypointCheck> {
  const about = { subject: `read ${phase}`, phaseRight: 'read' } as const;
  try {
    const found = await getEntrypoint(client, scope, phase);
    return found === null
      ? { kind: 'absent', check: { ...about, status: 'good', message: 'there is no entry point yet' } }
      : { kind: 'present', id: found.id, check: { ...about, status: 'good', message: 'may be read' } };
  } catch (error) {
    return { kind: 'failed', check: { ...unread(about.subject, error), ...about } };
  }
}

/** What a check of whether a phase may be written is about. */
function writeOf(phase: string): Pick<DoctorCheck, 'subject' | 'phaseRight'> {
  return { subject: `write ${phase}`, phaseRight: 'write' };
}

type ProbeResult = Awaited<ReturnType<typeof probeDryRun | typeof probeWrite>>;

function writeCheck(
  verdict: ProbeResult,
  { scope, phase }: { readonly scope: Scope; readonly phase: string },
): DoctorCheck {
  const about = writeOf(phase);
  switch (verdict) {
    case 'honoured':
    case 'allowed':
      return { ...about, status: 'good', message: 'may be written' };
    case 'forbidden':
      return {
        ...about,
        status: 'problem',
        message: 'may not be written',
        hint: `${permissionHint({ method: 'PUT', path: rulesetPath(scope, ABSENT), phase })}; planning and drift need no such right (--read-only)`,
      };
    case 'unknown':
      return {
        ...about,
        status: 'unknown',
        message: 'not checked: the service did not prove that it honours dry runs',
      };
    default:
      return assertNever(verdict);
  }
}

/** A placeholder id for a path that is only used to find the permission it needs. */
const ABSENT = '0'.repeat(32);

function notTried(phase: string): DoctorCheck {
  return {
    ...writeOf(phase),
    status: 'unknown',
    message: 'not checked: there is no entry point to try it on',
  };
}

async function tryCreate({ check }: CheckingClients, scope: Scope, phase: string): Promise<DoctorCheck> {
  const about = writeOf(phase);
  const kind = scope.kind === 'zone' ? 'zone' : 'root';
  try {
    const body = { name: 'default', description: '', kind, phase, rules: [] } as const;
    await dryRun(check, createRulesetRequest(scope, body));
    return { ...about, status: 'good', message: 'an entry point may be made' };
  } catch (error) {
    return isServiceError(error) && error.status === 400
      ? { ...about, status: 'warning', message: error.message }
      : { ...failedCheck(about.subject, expectedError(error)), ...about };
  }
}

/** Replaces the message of a 403, since it holds an id and equal findings of many scopes are merged; the hint stays. */
function unread(subject: string, error: unknown): DoctorCheck {
  const check = failedCheck(subject, expectedError(error));
  return isServiceError(error, 403) ? { ...check, message: 'may not be read' } : check;
}
