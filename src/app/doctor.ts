import pLimit from 'p-limit';
import type { AnalyticsDataset } from '../api/index.ts';
import type { LoadResult } from '../config/index.ts';
import type {
  ScopeRef,
  DesiredScope,
  Cause,
  DoctorCheck,
  DoctorGroup,
  DoctorReport,
  HealthGate,
} from '../model/index.ts';
import { isId, scopeLabel, serviceName, declaredScopesOf } from '../model/index.ts';
import { namesLists } from '../plan/index.ts';
import { resolveScopes } from '../live/index.ts';
import type { Resolution } from '../live/index.ts';
import { groupBy } from '../data/index.ts';
import { reachScope } from './service/reach-scope.ts';
import { checksOrFailure } from './doctor/failed-check.ts';
import { checkScopeAccess } from './doctor/check-scope-access.ts';
import type { CredentialCheck } from './doctor/check-credentials.ts';
import { checkCredentials } from './doctor/check-credentials.ts';
import type { OnEvent } from './run/events.ts';
import { NO_PROJECT } from './project/project-folder.ts';
import { load } from './project/load.ts';
import { narrow } from './project/narrow-targets.ts';
import { withService } from './service/open-service.ts';
import type { Service } from './service/open-service.ts';
import type { CheckingClients } from './planning/preflight-plan.ts';
import { openCheckingClients } from './planning/preflight-plan.ts';
import type { Selection } from './project/selection.ts';
import type { ServiceOptions } from './service/service-options.ts';
import { defaultScope } from './service/default-scope.ts';
import { serviceProxy } from './service/service-options.ts';
import type { ScopeProbes } from './doctor/check-scope-access.ts';

/** A scope to check. */
interface DoctorScope {
  readonly ref: ScopeRef;
  readonly tokenEnv: string | undefined;
  /** The place in a file that names `tokenEnv`. */
  readonly tokenCause: Cause | undefined;
  readonly tried: ScopeProbes;
}

/** What to check in a scope that no file declares. */
const WITHOUT_FILES: Omit<ScopeProbes, 'writes'> = {
  phases: undefined,
  lists: false,
  ownLists: false,
  settings: [],
  analytics: [],
};

/** The most scopes of one kind that are checked per set of credentials: a token usually has the same rights in all of them. */
const MAX_CHECKED = 10;

interface Checking {
  readonly clients: Service<CheckingClients>['client'];
  /** Whether the credentials in this variable can be used at all. */
  readonly usable: (tokenEnv: string | undefined) => boolean;
  /** Whether to check every scope, even beyond `MAX_CHECKED`. */
  readonly all: boolean;
  readonly concurrency: number;
  readonly report: OnEvent;
}

/** Checks what the credentials may do in each scope. All scopes are looked up; of many similar ones only some are checked further. */
async function checkScopes(
  wanted: readonly DoctorScope[],
  checking: Checking,
): Promise<Pick<DoctorReport, 'scopes' | 'leftOut'>> {
  const resolutions = await lookUp(wanted, checking);
  const found = wanted.filter((one) => resolutions.get(one)?.kind === 'found');
  const chosen = new Set(checking.all ? found : [...groupBy(found, kindOf).values()].flatMap(chosenOf));
  const leftOut = new Set(found.filter((one) => !chosen.has(one)));
  const limit = pLimit(checking.concurrency);
  let done = 0;
  const scopes = await Promise.all(
    wanted
      .filter((one) => !leftOut.has(one))
      .map(async (one) => {
        const name = scopeLabel(one.ref);
        const checks = await limit(() => checkOne(one, resolutions.get(one), checking));
        if (chosen.has(one)) {
          done += 1;
          checking.report({ kind: 'scope-checked', scope: name, done, total: chosen.size });
        }
        return { name, checks };
      }),
  );
  return { scopes, leftOut: [...leftOut].map(({ ref }) => scopeLabel(ref)) };
}

const NOT_TRIED: DoctorCheck = {
  subject: 'scope',
  status: 'unknown',
  message: 'not checked: its credentials are missing or not valid',
};

async function checkOne(
  { tokenEnv, tokenCause, tried }: DoctorScope,
  resolution: Resolution | undefined,
  { clients }: Checking,
): Promise<readonly DoctorCheck[]> {
  return resolution === undefined
    ? [NOT_TRIED]
    : checksOrFailure(() => {
        if (resolution.kind === 'failed') {
          throw resolution.error;
        }
        return checkScopeAccess(clients(tokenEnv, tokenCause), resolution.scope, tried);
      });
}

/** Looks up each scope, with few requests per set of credentials; skips scopes whose credentials are not usable. */
async function lookUp(
  wanted: readonly DoctorScope[],
  { clients, usable }: Checking,
): Promise<ReadonlyMap<DoctorScope, Resolution>> {
  const found = new Map<DoctorScope, Resolution>();
  for (const [tokenEnv, own] of groupBy(wanted, (one) => one.tokenEnv)) {
    if (!usable(tokenEnv)) {
      continue;
    }
    const { client } = clients(tokenEnv, own[0]?.tokenCause);
    const refs = own.map(({ ref }) => ref);
    const resolutions = await resolveScopes(client, refs);
    for (const one of own) {
      const resolution = resolutions.get(scopeLabel(one.ref));
      if (resolution !== undefined) {
        found.set(one, resolution);
      }
    }
  }
  return found;
}

/** Returns the group of a scope; rights differ between credentials, and between zones and accounts. */
function kindOf({ ref, tokenEnv }: DoctorScope): string {
  return `${ref.kind} ${tokenEnv ?? ''}`;
}

/** Chooses at most `MAX_CHECKED` scopes: first those that check something no earlier one does, then the others, in project order. */
function chosenOf(found: readonly DoctorScope[]): readonly DoctorScope[] {
  const tried = new Set<string>();
  const first: DoctorScope[] = [];
  const others: DoctorScope[] = [];
  for (const one of found) {
    const { phases = [], lists, ownLists, settings } = one.tried;
    const needs = [
      ...phases,
      ...(lists ? ['lists'] : []),
      ...(ownLists ? ['own lists'] : []),
      ...settings.map((name) => `setting ${name}`),
    ];
    (needs.some((need) => !tried.has(need)) ? first : others).push(one);
    needs.forEach((need) => tried.add(need));
  }
  return [...first, ...others].slice(0, MAX_CHECKED);
}

/** Reports the proxy that requests go through, if any, without user and password. */
function checkProxy(options: ServiceOptions): readonly DoctorCheck[] {
  const proxy = serviceProxy(options);
  if (proxy === undefined) {
    return [];
  }
  const except = proxy.noProxy === '' ? '' : ', but for the hosts of NO_PROXY';
  const message = `requests go through ${new URL(proxy.httpsProxy).origin} (${proxy.variable})${except}`;
  return [{ subject: 'proxy', status: 'good', message }];
}

const SKEW_MS = 60_000;

/** Checks that this machine's clock agrees with the service's, by the response with the smallest difference. */
function checkClock(skews: readonly number[]): readonly DoctorCheck[] {
  const known = skews.filter((skew) => Number.isFinite(skew));
  if (known.length === 0) {
    return [
      { subject: 'clock', status: 'unknown', message: 'no answer of the service says what time it is' },
    ];
  }
  const least = known.reduce((best, skew) => (Math.abs(skew) < Math.abs(best) ? skew : best));
  return Math.abs(least) < SKEW_MS
    ? [{ subject: 'clock', status: 'good', message: 'it agrees with that of the service' }]
    : [
        {
          subject: 'clock',
          status: 'warning',
          message: `it is ${Math.round(Math.abs(least) / 1000)} seconds ${least > 0 ? 'ahead of' : 'behind'} that of the service`,
          hint: 'set the clock: days at which allowances and ignored differences end depend on it',
        },
      ];
}

/** What the doctor checks. */
export interface DoctorQuery {
  readonly selection: Selection;
  /** The scope to check; undefined for the scopes of the project, or without any for the first scope that the credentials can see. */
  readonly scope: ScopeRef | undefined;
  /** Whether to check every scope, however many share the same credentials. */
  readonly all: boolean;
  /** Whether the token only has to read, as for plans; write access is not probed then. */
  readonly readOnly: boolean;
}

/**
 * Checks all that a run needs: the connection, the token, the clocks, and the token's rights in each scope and phase. No client
 * exists that could write; write access is probed with requests that cannot take effect.
 */
export async function doctor(
  { selection, scope, all, readOnly }: DoctorQuery,
  options: ServiceOptions,
  report: OnEvent,
): Promise<DoctorReport> {
  const skews: number[] = [];
  const listen: OnEvent = (event) => {
    if (event.kind === 'client' && event.event.kind === 'answered' && event.event.date !== undefined) {
      skews.push(options.clock.now() - Date.parse(event.event.date));
    }
    report(event);
  };
  return withService({ options, open: openCheckingClients, report: listen }, async (service) => {
    const { files, wanted: known } = await wantedScopes(
      selection,
      scope,
      (env) => service.client(env).client,
    );
    const wanted = known.map((one) => ({ ...one, tried: { ...one.tried, writes: !readOnly } }));
    const proxy = checkProxy(options);
    const credentials = await tryCredentials(wanted, service, options);
    const usable = (env: string | undefined): boolean => credentials.get(env)?.usable !== false;
    const clients = service.client.bind(service);
    const { concurrency } = options;
    const found =
      wanted.length > 0
        ? await checkScopes(wanted, { clients, usable, all, concurrency, report: listen })
        : { scopes: usable(undefined) ? await checkDefault(selection, clients, !readOnly) : [], leftOut: [] };
    const way: DoctorGroup = {
      name: `Connection to ${serviceName(service.identity)}`,
      checks: [
        ...files,
        ...proxy,
        ...[...credentials.values()].map(({ check }) => check),
        ...checkClock(skews),
      ],
    };
    return { way, ...found };
  });
}

const INVALID_FILES: DoctorCheck = {
  subject: 'files',
  status: 'warning',
  message: 'the files of the project have errors, so they do not say what to look at',
  hint: 'rulewright validate names the errors',
};

/** Returns why the files cannot tell which scopes to check. A missing project is a problem only if `config` names one. */
function troubleWith(loaded: LoadResult, { config }: Selection): readonly DoctorCheck[] {
  if (loaded.kind === 'loaded') {
    return [];
  }
  const missing = loaded.diagnostics.find(({ code }) => code === NO_PROJECT);
  if (missing === undefined) {
    return [INVALID_FILES];
  }
  const { message, hint } = missing;
  return config === undefined ? [] : [{ subject: 'files', status: 'problem', message, hint }];
}

type ClientOf = (tokenEnv: string | undefined) => CheckingClients['client'];

async function wantedScopes(
  selection: Selection,
  named: ScopeRef | undefined,
  client: ClientOf,
): Promise<{ readonly files: readonly DoctorCheck[]; readonly wanted: readonly ResolvedScope[] }> {
  const loaded = await load(selection);
  const files = troubleWith(loaded, selection);
  const declared = loaded.kind === 'loaded' ? narrow(loaded.project.scopes, selection.targets) : [];
  const analytics = loaded.kind === 'loaded' ? analyticsOf(loaded.project.settings.rollout?.health) : [];
  const known = declared.map((desired) => ({
    scope: desired.scope,
    tokenEnv: desired.tokenEnv,
    tokenCause: desired.tokenCause,
    tried: {
      phases: [...new Set(desired.rulesets.map(({ address }) => address.phase))],
      lists: namesLists(desired),
      ownLists: (desired.lists ?? []).some(({ items }) => items !== 'external'),
      settings: (desired.settings ?? []).map(({ name }) => name),
      analytics,
    },
  }));
  if (named === undefined) {
    return { files, wanted: known.map(wantedAs) };
  }
  const same = declaredScopesOf(known, { ...named, id: named.name });
  const meant = same.length > 0 ? same : await declaredOtherwise(known, { declared, named, client });
  const alone: ResolvedScope = {
    ref: named,
    tokenEnv: undefined,
    tokenCause: undefined,
    tried: WITHOUT_FILES,
  };
  return { files, wanted: meant.length > 0 ? meant.map(wantedAs) : [alone] };
}

/** Returns the analytics that the health of waves is judged by: a share of what is blocked is one of all requests. */
function analyticsOf(health: HealthGate | undefined): readonly AnalyticsDataset[] {
  if (health?.blocked !== undefined) {
    return ['requests', 'events'];
  }
  return health?.errors === undefined ? [] : ['requests'];
}

/** A scope to check, with what the files declare for it. */
type ResolvedScope = Omit<DoctorScope, 'tried'> & { readonly tried: typeof WITHOUT_FILES };

type ScopeToCheck = Omit<ResolvedScope, 'ref'> & { readonly scope: ScopeRef };

function wantedAs({ scope: ref, ...known }: ScopeToCheck): ResolvedScope {
  return { ref, ...known };
}

/**
 * Looks the scope up to find what the files declare for it, in case they give its id where `named` gives its name, or the other way
 * round.
 */
async function declaredOtherwise(
  known: readonly ScopeToCheck[],
  {
    declared,
    named,
    client,
  }: {
    readonly declared: readonly DesiredScope[];
    readonly named: ScopeRef;
    readonly client: ClientOf;
  },
): Promise<readonly ScopeToCheck[]> {
  const isOther = (name: string): boolean => isId(name) !== isId(named.name);
  if (!known.some(({ scope }) => scope.kind === named.kind && isOther(scope.name))) {
    return [];
  }
  try {
    const { scope } = await reachScope(client, declared, named);
    return declaredScopesOf(known, scope);
  } catch {
    // The same error occurs again, and is reported, when the scope is checked.
    return [];
  }
}

/** Tries each set of credentials that the scopes need once; the default credentials if there are no scopes. */
async function tryCredentials(
  wanted: readonly DoctorScope[],
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

/** Checks the first scope that the credentials can see, for runs without files. */
async function checkDefault(
  selection: Selection,
  clients: Service<CheckingClients>['client'],
  writes: boolean,
): Promise<readonly DoctorGroup[]> {
  let name = 'Zones and accounts';
  const checks = await checksOrFailure(async () => {
    const { scope } = await defaultScope((env) => clients(env).client, selection, undefined);
    const found = await checkScopeAccess(clients(undefined), scope, { ...WITHOUT_FILES, writes });
    name = scopeLabel(scope);
    return found;
  });
  return [{ name, checks }];
}
