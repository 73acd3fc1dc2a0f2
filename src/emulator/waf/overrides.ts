import { param, readBody } from '../call/call.ts';
import type { Access, ScopedCall } from '../call/call.ts';
import { invalidValue, notFound } from '../protocol/templates.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { decline } from '../protocol/refusal.ts';
import { createOverrideBody, putOverrideBody } from './body.ts';
import { openOldWaf } from './gate.ts';
import { answerList } from './list-query.ts';
import { showOverride } from './old-waf.ts';
import type { WafOverride } from '../records/old-waf.ts';

/** GET the URI-based overrides of a zone (api.md 9.5). */
export function listOverrides(call: ScopedCall): Answer {
  const open = openOldWaf(call, 'Read');
  return answerList(call.query, call.service.store.wafOverrides.group(open.zone.id).map(showOverride), {
    narrowings: {},
    orders: [],
    totalPages: 'said',
  });
}

/** GET one override. */
export function getOverride(call: ScopedCall): Answer {
  return result(showOverride(findOverride(call, 'Read')));
}

/** POST an override. An id in the body is ignored: the service gives its own. */
export function createOverride(call: ScopedCall): Answer {
  const open = openOldWaf(call, 'Write');
  const content = readBody(call, createOverrideBody);
  return storeOverride(call, { id: call.service.newId(), zone: open.zone.id, content });
}

/** PUT an override: replaces its whole content; the id in the body must be that of the path. */
export function putOverride(call: ScopedCall): Answer {
  const override = findOverride(call, 'Write');
  const content = readBody(call, putOverrideBody);
  if (content.id !== override.id) {
    throw invalidValue(content.id, '/id', `it must be ${override.id}`);
  }
  return storeOverride(call, { ...override, content });
}

/** DELETE an override; answers with its id. */
export function deleteOverride(call: ScopedCall): Answer {
  const override = findOverride(call, 'Write');
  call.service.store.wafOverrides.delete(override.id);
  return result({ id: override.id });
}

function findOverride(call: ScopedCall, access: Access): WafOverride {
  const open = openOldWaf(call, access);
  const id = param(call, 'override');
  const override = call.service.store.wafOverrides.get(id);
  return override?.zone === open.zone.id ? override : decline(notFound('WAF override', id));
}

function storeOverride(call: ScopedCall, override: WafOverride): Answer {
  call.service.store.wafOverrides.set(override.id, override);
  return result(showOverride(override));
}
