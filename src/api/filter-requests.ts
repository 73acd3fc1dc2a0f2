import { zoneFamilyPath, zoneObjectPath } from './paths.ts';
import type { WriteRequest } from './request.ts';

/** A filter to make (api.md 9.2). */
export interface NewFilter {
  readonly expression: string;
  readonly paused?: boolean;
  readonly description?: string;
  readonly ref?: string;
}

/** A filter to replace as a whole. */
export interface ChangedFilter extends NewFilter {
  readonly id: string;
}

/** POST of up to 25 filters. */
export function createFiltersRequest(zoneId: string, filters: readonly NewFilter[]): WriteRequest {
  return { method: 'POST', path: zoneFamilyPath(zoneId, 'filters'), body: filters };
}

/** PUT of up to 25 filters; all must exist. */
export function updateFiltersRequest(zoneId: string, filters: readonly ChangedFilter[]): WriteRequest {
  return { method: 'PUT', path: zoneFamilyPath(zoneId, 'filters'), body: filters };
}

/** PUT of one filter. */
export function updateFilterRequest(zoneId: string, filter: ChangedFilter): WriteRequest {
  return { method: 'PUT', path: zoneObjectPath(zoneId, 'filters', filter.id), body: filter };
}

/** DELETE of filters by id. */
export function deleteFiltersRequest(zoneId: string, ids: readonly string[]): WriteRequest {
  return { method: 'DELETE', path: zoneFamilyPath(zoneId, 'filters'), query: { id: ids } };
}

/** DELETE of one filter. */
export function deleteFilterRequest(zoneId: string, filterId: string): WriteRequest {
  return { method: 'DELETE', path: zoneObjectPath(zoneId, 'filters', filterId) };
}
