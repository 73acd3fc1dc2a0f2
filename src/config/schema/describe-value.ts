import { phaseFacts } from '../../model/phase.ts';
import type { ErrorText } from './describe-error.ts';
import { allowedBy, nameOf } from './schema-error.ts';
import type { SchemaError } from './schema-error.ts';
import { didYouMean, oneOfThese } from './suggest.ts';

/** Actions that exist in the vendor's rulesets and older interfaces and that nobody writes (api.md 5.1). */
const NOT_WRITABLE: ReadonlyMap<string, string> = new Map([
  ['allow', 'write `skip` with `action_parameters: {ruleset: current}`'],
  ['bypass', 'write `skip` with the `products` or `phases` to pass by'],
  ['simulate', 'write `log`'],
  ['ddos_dynamic', 'only rules of the vendor have it'],
  ['ddos_mitigation', 'only rules of the vendor have it'],
  ['force_connection_close', 'only rules of the vendor have it'],
  ['connection_close', 'only rules of the vendor have it'],
]);

/** A value that is not one of those the schema lists. */
export function describeValue(error: SchemaError): ErrorText {
  const allowed = allowedBy(error);
  const key = error.path.at(-1) ?? '';
  const value = typeof error.value === 'string' ? error.value : JSON.stringify(error.value);
  const all = `${allowed.length === 1 ? 'write' : 'write one of'} ${oneOfThese(allowed)}`;
  const hint = (typeof error.value === 'string' ? didYouMean(value, allowed) : undefined) ?? all;
  if (key === 'action' && allowed.includes('execute')) {
    return {
      code: 'schema/unknown-action',
      message: `the action \`${value}\` does not exist`,
      hint: NOT_WRITABLE.get(value) ?? hint,
    };
  }
  if (key === 'phase' && error.path[0] === 'rulesets') {
    return phaseFacts(value) === undefined
      ? { code: 'config/unknown-phase', message: `the phase \`${value}\` does not exist`, hint }
      : {
          code: 'config/phase-level',
          message: `there are no custom rulesets of the phase \`${value}\` at this level`,
          hint: `custom rulesets are possible here in ${oneOfThese(allowed)}`,
        };
  }
  return {
    code: 'schema/unknown-value',
    message: `${nameOf(error)} is ${JSON.stringify(error.value)}, which is not possible here`,
    hint,
  };
}
