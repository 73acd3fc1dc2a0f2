import { readBody, type ScopedCall } from '../call.ts';
import { invalidValue } from '../decode/bounds.ts';
import { type Answer, result } from '../protocol/answer.ts';
import { isRefusal, type Refusal } from '../protocol/refusal.ts';
import { createOverrideBody, putOverrideBody } from './body.ts';
import { wafObjectNotFound } from './errors.ts';
import { openOldWaf } from './gate.ts';
import { answerList } from './list-query.ts';
import { showOverride, type WafOverride } from './old-waf.ts';

/** GET the URI-based overrides of a zone (api.md 9.5). */
export function listOverrides(call: ScopedCall): Answer | Refusal {
  const open = openOldWaf(call, 'Read');
  return isRefusal(open)
    ? open
    : answerList(call.query, call.service.store.wafOverrides.group(open.zone.id).map(showOverride), {
        filters: {},
        orders: [],
        totalPages: 'said',
      });
}

/** GET one override. */
export function getOverride(call: ScopedCall): Answer | Refusal {
  const override = findOverride(call, 'Read');
  return isRefusal(override) ? override : result(showOverride(override));
}

/** POST an override. An id in the body is ignored: the service gives its own. */
export function createOverride(call: ScopedCall): Answer | Refusal {
  const open = openOldWaf(call, 'Write');
  if (isRefusal(open)) {
    return open;
  }
  const content = readBody(call, createOverrideBody);
  return isRefusal(content)
    ? content
    : storeOverride(call, { id: call.service.newId(), zone: open.zone.id, content });
}

/** PUT an override: its whole new content; the id in the body is that of the path. */
export function putOverride(call: ScopedCall): Answer | Refusal {
  const override = findOverride(call, 'Write');
  if (isRefusal(override)) {
    return override;
  }
  const content = readBody(call, putOverrideBody);
  if (isRefusal(content)) {
    return content;
  }
  return content['id'] === override.id
    ? storeOverride(call, { ...override, content })
    : invalidValue(content['id'], '/id', `it must be ${override.id}`);
}

/** DELETE an override; the answer is its id. */
export function deleteOverride(call: ScopedCall): Answer | Refusal {
  const override = findOverride(call, 'Write');
  if (isRefusal(override)) {
    return override;
  }
  call.service.store.wafOverrides.delete(override.id);
  return result({ id: override.id });
}

function findOverride(call: ScopedCall, access: 'Read' | 'Write'): WafOverride | Refusal {
  const open = openOldWaf(call, access);
  if (isRefusal(open)) {
    return open;
  }
  const id = call.params['override'] ?? '';
  const override = call.service.store.wafOverrides.get(id);
  return override?.zone === open.zone.id ? override : wafObjectNotFound('override', id);
}

function storeOverride(call: ScopedCall, override: WafOverride): Answer {
  call.service.store.wafOverrides.set(override.id, override);
  return result(showOverride(override));
}
