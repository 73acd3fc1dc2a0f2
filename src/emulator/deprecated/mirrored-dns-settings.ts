import { checkPermission, readBody } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { object, text, word } from '../decode/shape.ts';
import { result } from '../protocol/answer.ts';
import type { Answer } from '../protocol/answer.ts';
import { changeDnsSettings, dnsSettings } from './dns-settings.ts';

/** The old endpoints, each with the DNS setting that it mirrors (specification 9, row of 2024-09-13; their form is assumed). */
const MIRRORED = {
  use_apex_ns: 'multi_provider',
  secondary_overrides: 'secondary_overrides',
} as const;

type Old = keyof typeof MIRRORED;

const body = object({ id: text(), value: word('on', 'off') }, { required: ['value'] });

/** Makes the handler of GET for an old endpoint. */
export function getMirrored(old: Old): (call: ScopedCall) => Answer {
  return (call) => {
    checkPermission(call, 'Read', ['DNS']);
    return result(show(call, old));
  };
}

/** Makes the handler of PATCH for an old endpoint, which changes the DNS settings. */
export function patchMirrored(old: Old): (call: ScopedCall) => Answer {
  return (call) => {
    checkPermission(call, 'Write', ['DNS']);
    const wish = readBody(call, body);
    const change = { [MIRRORED[old]]: wish.value === 'on' };
    changeDnsSettings(call.service.store, call.scope.owner, change);
    return result(show(call, old));
  };
}

function show(call: ScopedCall, old: Old): unknown {
  const on = dnsSettings(call.service.store, call.scope.owner)[MIRRORED[old]];
  return { id: old, value: on ? 'on' : 'off', modified_on: null, editable: true };
}
