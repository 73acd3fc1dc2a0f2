import { systemClock } from '../api/clock.ts';
import { resolveScope } from '../api/resolve-scope.ts';
import { RulewrightError } from '../model/error.ts';
import type { ScopeRef } from '../model/scope.ts';
import { scopeLabel } from '../model/scope.ts';
import type { Cause } from '../model/source.ts';
import { namesLists } from '../plan/named-lists.ts';
import type { DoctorCheck, DoctorGroup, DoctorReport } from '../report/text/doctor.ts';
import { failedCheck } from './doctor/check.ts';
import { checkScopeAccess } from './doctor/scope.ts';
import type { Tried } from './doctor/scope.ts';
import type { CredentialCheck } from './doctor/credentials.ts';
import { checkCredentials } from './doctor/credentials.ts';
import { checkClock, checkProxy } from './doctor/way.ts';
import type { Report } from './events.ts';
import { load, narrow } from './project/load.ts';
import { openService } from './service/open-service.ts';
import type { Service } from './service/open-service.ts';
import type { CheckingClients } from './planning/preflight-plan.ts';
import { openCheckingClients } from './planning/preflight-plan.ts';
import type { Selection } from './project/selection.ts';
import type { ServiceOptions } from './service/service-options.ts';
import { usualScope } from './service/usual-scope.ts';

/** What is looked at. */
export interface DoctorQuery {
  readonly selection: Selection;
  /** A scope that is named; without one those of the project, else the first that the credentials may see. */
  readonly scope: ScopeRef | undefined;
}

/**
 * Looks at all that a run needs: the way to the service, the token, clocks, and what the token may do in each scope and phase. No
 * object exists that could write; writes are asked about by requests that cannot take effect.
 */
export async function doctor(
  { selection, scope }: DoctorQuery,
  options: ServiceOptions,
  report: Report,
): Promise<DoctorReport> {
  const skews: number[] = [];
  const listen: Report = (event) => {
    if (event.kind === 'client' && event.event.kind === 'answered' && event.event.date !== undefined) {
      skews.push(systemClock.now() - Date.parse(event.event.date));
    }
    report(event);
  };
  const service = await openService(options, openCheckingClients, listen);
  try {
    const { files, wanted } = await wantedScopes(selection, scope);
    const proxy = checkProxy(options);
    const credentials = await tryCredentials(wanted, service, options);
    const scopes = await inEach(wanted, {
      selection,
      clients: (env, named) => service.client(env, named),
      usable: (env) => credentials.get(env)?.usable !== false,
    });
    const way: DoctorGroup = {
      name: `The way to ${service.identity === 'emulator' ? 'the embedded service' : service.identity}`,
      checks: [
        ...files,
        ...proxy,
        ...[...credentials.values()].map(({ check }) => check),
        ...checkClock(skews),
      ],
    };
    return { groups: [way, ...scopes] };
  } finally {
    await service.close();
  }
}

interface WantedScope {
  readonly ref: ScopeRef;
  readonly tokenEnv: string | undefined;
  /** Where a file names it. */
  readonly tokenCause: Cause | undefined;
  readonly tried: Tried;
}

const WITHOUT_FILES: Tried = { phases: undefined, lists: false };

const NO_PROJECT = 'project/not-found';

const INVALID_FILES: DoctorCheck = {
  subject: 'files',
  status: 'warning',
  message: 'the files of the project have errors, so they do not say what to look at',
  hint: 'rulewright validate names the errors',
};

async function wantedScopes(
  selection: Selection,
  named: ScopeRef | undefined,
): Promise<{ readonly files: readonly DoctorCheck[]; readonly wanted: readonly WantedScope[] }> {
  const loaded = await load(selection);
  const broken = loaded.kind === 'invalid' && loaded.diagnostics.every(({ code }) => code !== NO_PROJECT);
  const files: readonly DoctorCheck[] = broken ? [INVALID_FILES] : [];
  const declared = loaded.kind === 'loaded' ? narrow(loaded.project.scopes, selection.targets) : [];
  const known = declared.map((desired): WantedScope => ({
    ref: desired.scope,
    tokenEnv: desired.tokenEnv,
    tokenCause: desired.tokenCause,
    tried: {
      phases: [...new Set(desired.rulesets.map(({ address }) => address.phase))],
      lists: namesLists(desired),
    },
  }));
  if (named === undefined) {
    return { files, wanted: known };
  }
  const same = known.filter(({ ref }) => ref.kind === named.kind && ref.name === named.name);
  const alone: WantedScope = { ref: named, tokenEnv: undefined, tokenCause: undefined, tried: WITHOUT_FILES };
  return { files, wanted: same.length > 0 ? same : [alone] };
}

/** Each set of credentials that the scopes need, tried once; the usual ones where no scope is named. */
async function tryCredentials(
  wanted: readonly WantedScope[],
  service: Service<CheckingClients>,
  options: ServiceOptions,
): Promise<ReadonlyMap<string | undefined, CredentialCheck>> {
  const needed = new Map<string | undefined, Cause | undefined>();
  for (const { tokenEnv, tokenCause } of wanted) {
    needed.set(tokenEnv, needed.get(tokenEnv) ?? tokenCause);
  }
  if (needed.size === 0) {
    needed.set(undefined, undefined);
  }
  const tried = new Map<string | undefined, CredentialCheck>();
  for (const [tokenEnv, cause] of needed) {
    const open = (): CheckingClients['client'] => service.client(tokenEnv, cause).client;
    tried.set(tokenEnv, await checkCredentials(open, tokenEnv, options));
  }
  return tried;
}

const NOT_TRIED: DoctorCheck = {
  subject: 'scope',
  status: 'unknown',
  message: 'not checked: the service does not take the credentials',
};

async function inEach(
  wanted: readonly WantedScope[],
  {
    selection,
    clients,
    usable,
  }: {
    readonly selection: Selection;
    readonly clients: Service<CheckingClients>['client'];
    /** Whether anything can be asked with the credentials of this variable. */
    readonly usable: (tokenEnv: string | undefined) => boolean;
  },
): Promise<readonly DoctorGroup[]> {
  const groups: DoctorGroup[] = [];
  if (wanted.length === 0) {
    if (!usable(undefined)) {
      return [];
    }
    const reader = (env: string | undefined): CheckingClients['client'] => clients(env).client;
    const checks = await attempted('scope', async () => {
      const { scope } = await usualScope(reader, selection, undefined);
      groups.push({
        name: scopeLabel(scope),
        checks: await checkScopeAccess(clients(undefined), scope, WITHOUT_FILES),
      });
      return [];
    });
    return checks.length === 0 ? groups : [{ name: 'Zones and accounts', checks }];
  }
  for (const { ref, tokenEnv, tokenCause, tried } of wanted) {
    if (!usable(tokenEnv)) {
      groups.push({ name: scopeLabel(ref), checks: [NOT_TRIED] });
      continue;
    }
    const checks = await attempted('scope', async () => {
      const own = clients(tokenEnv, tokenCause);
      return checkScopeAccess(own, await resolveScope(own.client, ref), tried);
    });
    groups.push({ name: scopeLabel(ref), checks });
  }
  return groups;
}

/** What was found, or the error that stood in the way. Rejects for bugs and when stopped. */
async function attempted(
  subject: string,
  work: () => Promise<readonly DoctorCheck[]>,
): Promise<readonly DoctorCheck[]> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RulewrightError && error.fault !== 'bug' && error.code !== 'api/aborted') {
      return [failedCheck(subject, error)];
    }
    throw error;
  }
}
