import { flag, list, object, text } from '../decode/shape.ts';
import { flagAt, isObject, listAt, pointerStep, textAt } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { invalidValue } from '../protocol/templates.ts';

/** The managed transforms by list, each with those that it cannot stand beside. */
const LISTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  managed_request_headers: {
    add_bot_protection_headers: [],
    add_client_certificate_headers: [],
    add_true_client_ip_headers: ['remove_visitor_ip_headers'],
    add_visitor_location_headers: [],
    add_waf_credential_check_status_header: [],
    remove_visitor_ip_headers: ['add_true_client_ip_headers'],
  },
  managed_response_headers: {
    add_security_headers: [],
    'remove_x-powered-by_header': [],
  },
};

const transforms = list(
  object(
    { id: text(), enabled: flag(), has_conflict: flag(), conflicts_with: list(text()) },
    { required: ['id', 'enabled'] },
  ),
);

/** The body of a change: those of each list that are to be switched. */
export const transformsBody = object(
  { managed_request_headers: transforms, managed_response_headers: transforms },
  { some: 'any' },
);

/** Switches what a body names; what is stored is whether each is enabled, by id. */
export function changeTransforms(before: JsonObject, body: JsonObject): JsonObject {
  const switched = Object.entries(LISTS).flatMap(([name, known]) =>
    listAt(body, name)
      .filter(isObject)
      .map((item, index) => {
        const id = textAt(item, 'id') ?? '';
        if (!Object.hasOwn(known, id)) {
          throw invalidValue(id, `/${name}${pointerStep(index)}/id`, 'it is not a managed transform');
        }
        return [id, item['enabled']] as const;
      }),
  );
  return { ...before, ...Object.fromEntries(switched) };
}

/** Shows all managed transforms, and which are in conflict. */
export function showTransforms(enabled: JsonObject): JsonObject {
  const isOn = (id: string): boolean => flagAt(enabled, id) === true;
  return Object.fromEntries(
    Object.entries(LISTS).map(([name, known]) => [
      name,
      Object.entries(known).map(([id, rivals]) => ({
        id,
        enabled: isOn(id),
        has_conflict: isOn(id) && rivals.some(isOn),
        ...(rivals.length === 0 ? {} : { conflicts_with: rivals }),
      })),
    ]),
  );
}
