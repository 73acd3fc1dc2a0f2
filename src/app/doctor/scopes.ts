import pLimit from 'p-limit';
import { resolveScopes } from '../../live/resolve-scopes.ts';
import type { Resolution } from '../../live/resolve-scopes.ts';
import { groupBy } from '../../model/group-by.ts';
import type { ScopeRef } from '../../model/scope.ts';
import { scopeLabel } from '../../model/scope.ts';
import type { Cause } from '../../model/source.ts';
import type { DoctorCheck, DoctorReport } from '../../model/doctor-report.ts';
import type { OnEvent } from '../run/events.ts';
import type { CheckingClients } from '../planning/preflight-plan.ts';
import type { Service } from '../service/open-service.ts';
import { checksOrFailure } from './check.ts';
import { checkScopeAccess } from './scope.ts';
import type { Tried } from './scope.ts';

/** A scope to check. */
export interface WantedScope {
  readonly ref: ScopeRef;
  readonly tokenEnv: string | undefined;
  /** The place in a file that names `tokenEnv`. */
  readonly tokenCause: Cause | undefined;
  readonly tried: Tried;
}

/** What to check in a scope that no file declares. */
export const WITHOUT_FILES: Omit<Tried, 'writes'> = { phases: undefined, lists: false };

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
export async function checkScopes(
  wanted: readonly WantedScope[],
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
  { tokenEnv, tokenCause, tried }: WantedScope,
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
  wanted: readonly WantedScope[],
  { clients, usable }: Checking,
): Promise<ReadonlyMap<WantedScope, Resolution>> {
  const found = new Map<WantedScope, Resolution>();
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
function kindOf({ ref, tokenEnv }: WantedScope): string {
  return `${ref.kind} ${tokenEnv ?? ''}`;
}

/** Chooses at most `MAX_CHECKED` scopes: first those that check something no earlier one does, then the others, in project order. */
function chosenOf(found: readonly WantedScope[]): readonly WantedScope[] {
  const tried = new Set<string>();
  const first: WantedScope[] = [];
  const others: WantedScope[] = [];
  for (const one of found) {
    const needs = [...(one.tried.phases ?? []), ...(one.tried.lists ? ['lists'] : [])];
    (needs.some((need) => !tried.has(need)) ? first : others).push(one);
    needs.forEach((need) => tried.add(need));
  }
  return [...first, ...others].slice(0, MAX_CHECKED);
}
