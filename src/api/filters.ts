import { accept } from './accept.ts';
import type { ReadClient, WriteClient } from './client.ts';
import type { OldFilter } from '../model/firewall-conversion.ts';
import { decodeFilter } from './decode-firewall-rule.ts';
import { decodeAll, decodeDeleted, decodeSingle } from './decode-zone-objects.ts';
import type { ChangedFilter, NewFilter } from './filter-requests.ts';
import {
  createFiltersRequest,
  deleteFilterRequest,
  deleteFiltersRequest,
  updateFilterRequest,
  updateFiltersRequest,
} from './filter-requests.ts';
import { readByPage } from './pages.ts';
import { zoneFamilyPath, zoneObjectPath } from './paths.ts';
import { isServiceError } from './service-error.ts';

const decodeFilters = decodeAll(decodeFilter);
const decodeOne = decodeSingle(decodeFilter);

/** All old filters of a zone, those that no rule uses included (specification 4.2, api.md 9.2). */
export function listFilters(client: ReadClient, zoneId: string): Promise<readonly OldFilter[]> {
  return readByPage(client, zoneFamilyPath(zoneId, 'filters'), { perPage: 100, decode: decodeFilters });
}

/** One filter. */
export async function getFilter(client: ReadClient, zoneId: string, filterId: string): Promise<OldFilter> {
  return accept(await client.get(zoneObjectPath(zoneId, 'filters', filterId)), decodeOne);
}

/** Makes up to 25 filters, all or none. An expression that a filter has already is refused with code 10102 (api.md 9.2). */
export async function createFilters(
  client: WriteClient,
  zoneId: string,
  filters: readonly NewFilter[],
): Promise<readonly OldFilter[]> {
  return accept(await client.send(createFiltersRequest(zoneId, filters)), decodeFilters);
}

/** Replaces up to 25 filters, all or none. Filters made together with a rule refuse it (specification 4.2 rule 4). */
export async function updateFilters(
  client: WriteClient,
  zoneId: string,
  filters: readonly ChangedFilter[],
): Promise<readonly OldFilter[]> {
  return accept(await client.send(updateFiltersRequest(zoneId, filters)), decodeFilters);
}

/** Replaces one filter. */
export async function updateFilter(
  client: WriteClient,
  zoneId: string,
  filter: ChangedFilter,
): Promise<OldFilter> {
  return accept(await client.send(updateFilterRequest(zoneId, filter)), decodeOne);
}

/** Deletes filters, all or none: refused for one that a rule or another feature uses. Without ids nothing is sent. */
export async function deleteFilters(
  client: WriteClient,
  zoneId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  return ids.length === 0
    ? []
    : accept(await client.send(deleteFiltersRequest(zoneId, ids)), decodeDeleted(ids));
}

/** Deletes one filter. */
export async function deleteFilter(client: WriteClient, zoneId: string, filterId: string): Promise<void> {
  accept(await client.send(deleteFilterRequest(zoneId, filterId)), decodeDeleted([filterId]));
}

/**
 * Asks the service whether an expression parses; gives its text when not (api.md 9.2). The text starts with
 * `Filter parsing error` and has no code, which tells it from every other refusal.
 */
export async function validateExpression(client: ReadClient, expression: string): Promise<string | null> {
  try {
    await client.get('/filters/validate-expr', { query: { expression } });
    return null;
  } catch (error) {
    const [first] = isServiceError(error) ? error.errors : [];
    if (first?.code === undefined && first?.message.startsWith('Filter parsing error') === true) {
      return first.message;
    }
    throw error;
  }
}
