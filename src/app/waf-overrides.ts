import type { ReadClient } from '../api/client.ts';
import { openWriteClient } from '../api/client.ts';
import { systemClock } from '../api/clock.ts';
import { isNotFound, isUncertain, ServiceError } from '../api/service-error.ts';
import { deleteWafOverride, listWafOverrides } from '../api/waf-overrides.ts';
import { insisting } from '../apply/look-up.ts';
import { jsonEqual } from '../model/json.ts';
import type { Scope, ScopeRef } from '../model/scope.ts';
import type { WafOverrideView } from '../model/waf-migration.ts';
import type { Report } from './events.ts';
import type { Guards } from './project-guards.ts';
import type { ServiceOptions } from './service-options.ts';
import { overrideView } from './waf-readings.ts';
import { writeSnapshot } from './waf-snapshot.ts';
import { withZone } from './waf-zones.ts';

/** What became of the overrides that were to be deleted. */
export interface RemovedOverrides {
  readonly kind: 'done' | 'partial' | 'failed' | 'refused';
  readonly scope: Scope;
  readonly deleted: readonly string[];
  readonly left: readonly string[];
  readonly snapshot: string | null;
  readonly message?: string;
  readonly hint?: string;
}

/**
 * Deletes the URI-based overrides that were shown, one at a time, after a snapshot. Refuses when they are
 * not the ones that are live any more. After an unknown outcome the list says whether one is gone.
 */
export function removeOverrides(
  zone: { readonly zone: ScopeRef; readonly guards: Guards; readonly shown: readonly WafOverrideView[] },
  { options, folder }: { readonly options: ServiceOptions; readonly folder: string },
  report: Report,
): Promise<RemovedOverrides> {
  const open: typeof openWriteClient = ({ signal, ...connection }) =>
    openWriteClient({ ...connection, ...(signal === undefined ? {} : { interrupt: signal }) });
  return withZone(zone, { options, open, report }, async (client, scope): Promise<RemovedOverrides> => {
    const live = (await listWafOverrides(client, scope.id)).map(overrideView);
    const left = live.map(({ id }) => id);
    if (!sameOverrides(live, zone.shown)) {
      const message = 'the overrides changed since they were shown';
      return {
        kind: 'refused',
        scope,
        deleted: [],
        left,
        snapshot: null,
        message,
        hint: 'look at them again',
      };
    }
    const snapshot = await writeSnapshot(client, scope, { folder, now: systemClock.now() });
    options.signal?.throwIfAborted();
    const deleted: string[] = [];
    for (const id of left) {
      const failed =
        options.signal?.aborted === true ? { message: 'interrupted' } : await removeOne(client, scope, id);
      if (failed !== null) {
        const kind = deleted.length === 0 ? 'failed' : 'partial';
        const hint = 'run the command again: what is gone is not asked for again';
        return { kind, scope, deleted, left: left.slice(deleted.length), snapshot, hint, ...failed };
      }
      deleted.push(id);
    }
    return { kind: 'done', scope, deleted, left: [], snapshot };
  });
}

/** Deletes one; null when it is gone, else why not. */
async function removeOne(
  client: Parameters<typeof deleteWafOverride>[0],
  scope: Scope,
  id: string,
): Promise<{ readonly message: string; readonly hint?: string } | null> {
  try {
    await deleteWafOverride(client, scope.id, id);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    const { message, hint } = error;
    if (isNotFound(error) || (isUncertain(error) && (await isGone(client, scope, id)))) {
      return null;
    }
    return { message, ...(hint === undefined ? {} : { hint }) };
  }
}

async function isGone(client: ReadClient, scope: Scope, id: string): Promise<boolean> {
  try {
    return (await listWafOverrides(insisting(client), scope.id)).every((override) => override.id !== id);
  } catch (error) {
    if (error instanceof ServiceError) {
      return false;
    }
    throw error;
  }
}

function sameOverrides(live: readonly WafOverrideView[], shown: readonly WafOverrideView[]): boolean {
  const plain = (views: readonly WafOverrideView[]) =>
    views.map(({ id, description, urls, actions, paused }) => ({ id, description, urls, actions, paused }));
  return jsonEqual(plain(live), plain(shown));
}
