import type { Condition, Operand } from '../../expression/index.ts';
import { parseExpression, plainField } from '../../expression/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { hasReference, isId, zoneName } from '../../model/index.ts';
import { someNames } from '../../text/index.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { scopesIn } from '../project/scope-file.ts';
import { finding } from '../source/finding.ts';
import { locateValue, settle } from '../yaml/yaml-document.ts';

/** The most names that a message lists. */
const NAMED = 3;

/**
 * Reports a rule that waits for hosts of other zones, so that no request of its own zone meets it. Only a whole expression counts: one that also names a
 * host of the zone is shared on purpose, as are rules of packs, and rules of a file for several zones that are for one of them.
 */
export function lintForeignHosts(
  { document, scope }: DeclaredRuleset,
  { path, value: { expression } }: DeclaredRule,
): readonly Diagnostic[] {
  const place = [...path, 'expression'];
  if (
    scope.kind !== 'zone' ||
    typeof expression !== 'string' ||
    !expression.includes('http.host') ||
    hasReference(expression) ||
    settle(document, place).via.length > 0
  ) {
    return [];
  }
  const zones = scopesIn(document).scopes.map(({ ref }) => zoneName(ref).bare.toLowerCase());
  const parsed = parseExpression(expression);
  if (zones.length === 0 || zones.some(isId) || !parsed.ok || parsed.tree.mode !== 'filter') {
    return [];
  }
  const foreign = new Set<string>();
  const isOwn = (host: string): boolean => {
    const name = host.toLowerCase().replace(/:\d+$/u, '');
    // A name without a dot is that of no zone.
    const own = !name.includes('.') || zones.some((zone) => name === zone || name.endsWith(`.${zone}`));
    if (!own) {
      foreign.add(host);
    }
    return own;
  };
  return mayMatch(parsed.tree.root, isOwn)
    ? []
    : [
        finding('lint/foreign-host', {
          message: `this rule matches nothing in ${someNames(zones, NAMED)}: ${someNames([...foreign], NAMED)} ${foreign.size === 1 ? 'is' : 'are'} not in that zone`,
          hint: 'correct the name, or move the rule to the zone of that name; a custom hostname (SSL for SaaS) does come to this zone: then ignore this',
          where: locateValue(document, place),
        }),
      ];
}

/** Whether a condition may be met by a request to one of the hosts. What is not a plain comparison of the host may. */
function mayMatch(condition: Condition, isOwn: (host: string) => boolean): boolean {
  switch (condition.kind) {
    case 'group':
      return mayMatch(condition.item, isOwn);
    case 'and':
      return condition.items.every((item) => mayMatch(item, isOwn));
    case 'or':
      return condition.items.map((item) => mayMatch(item, isOwn)).some(Boolean);
    case 'comparison': {
      const hosts = isHost(condition.left) ? hostsOf(condition) : [];
      return hosts.length === 0 || hosts.map(isOwn).some(Boolean);
    }
    default:
      return true;
  }
}

/** Whether an operand is the host of the request, in any case. */
function isHost({ source, indexes }: Operand): boolean {
  const [first] = source.kind === 'call' && source.name === 'lower' ? source.arguments : [];
  const name =
    source.kind === 'call'
      ? first?.kind === 'operand' && plainField(first)
      : indexes.length === 0 && source.name;
  return name === 'http.host';
}

function hostsOf({ operator, right }: Extract<Condition, { kind: 'comparison' }>): readonly string[] {
  if (operator === 'eq' && right.kind === 'bytes') {
    return [right.value];
  }
  return operator === 'in' && right.kind === 'set' && right.of === 'Bytes'
    ? right.items.map((item) => item.value)
    : [];
}
