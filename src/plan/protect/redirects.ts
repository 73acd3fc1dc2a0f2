import { assertNever } from '../../model/assert-never.ts';
import { parseExpression } from '../../expression/parse/parse.ts';
import type { JsonValue } from '../../model/json.ts';
import { objectOf, textOf } from '../../model/json.ts';
import { quoted } from '../../model/quoted.ts';
import { isWithin } from './conditions.ts';
import type { PossibleText } from './possible-text.ts';
import { text } from './possible-text.ts';
import { possibleTexts } from './possible-values.ts';
import type { Destination } from './redirect-host.ts';
import { destinationOf } from './redirect-host.ts';
import type { Parameter, Reading, Trait } from './trait.ts';
import { ownName } from './zone-host.ts';

/**
 * Reads a redirect target. Leading out of the zone, or to an unknown host, counts as permitting: whoever receives the visitors of a login page
 * gets their passwords.
 */
export const redirectTarget: Reading = (target, parameter) => {
  const { path } = parameter;
  const destination = worstDestination(target, parameter);
  switch (destination.kind) {
    case 'same':
      return [];
    case 'unencrypted':
      return [[path, away('an address without TLS', target)]];
    case 'unknown':
      return [[path, away('a host that is not known', target)]];
    case 'open':
      return [[path, away(`${destination.where} (${destination.mend})`, target)]];
    case 'host':
      return [[path, away(destination.host, destination.host)]];
    default:
      return assertNever(destination);
  }
};

/** Reads a redirect by list, whose items no plan knows. */
export const redirectList: Reading = (list, { path }) => [
  [path, away(`where the list ${quoted(textOf(objectOf(list)['name']))} says`, list)],
];

function away(where: string, value: JsonValue): Trait {
  return { role: 'permits', label: `a redirect to ${where}`, value, changed: `sends visitors to ${where}` };
}

/** From the least known to the best known. */
const ORDER: readonly Destination['kind'][] = ['open', 'unknown', 'host', 'unencrypted', 'same'];

/** Returns where a target may lead, the worst of it. */
function worstDestination(target: JsonValue, { content, stand: { scope } }: Parameter): Destination {
  const zone = ownName(scope);
  const { value, expression } = objectOf(target);
  const isSure = (comparison: string): boolean => isWithin(content.expression, comparison);
  const texts =
    typeof expression === 'string'
      ? textsOf(expression, { zone, isSure })
      : [{ pieces: [text(textOf(value))], isOfPlainHttp: false }];
  const destinations = (texts ?? []).map((one) => destinationOf(one, zone));
  const rank = ({ kind }: Destination): number => ORDER.indexOf(kind);
  return destinations.toSorted((a, b) => rank(a) - rank(b))[0] ?? { kind: 'unknown' };
}

function textsOf(
  expression: string,
  known: Parameters<typeof possibleTexts>[1],
): readonly PossibleText[] | undefined {
  const parsed = parseExpression(expression, { mode: 'value' });
  return parsed.ok && parsed.tree.mode === 'value' ? possibleTexts(parsed.tree.root, known) : undefined;
}
