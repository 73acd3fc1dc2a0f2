import type { IpLiteral, IpRangeItem } from '../language/ast.ts';
import { parseIpSetItem } from '../values/ip-set-item.ts';
import { formatIpAddress } from '../values/ip.ts';
import type { IpRange } from '../values/ip.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';
import { addressesOf, plainField } from '../language/field-tests.ts';

/** Networks that no request from the Internet comes from, in ascending order; networks for documentation are left out. */
const RESERVED: readonly (readonly [string, string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.168.0.0/16', 'private'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::1', 'loopback'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
];

const RANGES: readonly { readonly range: IpRange; readonly use: string }[] = RESERVED.flatMap(
  ([text, use]) => {
    const parsed = parseIpSetItem(text);
    return parsed.ok ? [{ range: parsed.range, use }] : [];
  },
);

/** A set takes addresses of fewer than four parts and fills them with zeros (`rules-language.md` 1.3). */
const SHORT = /^\d+(?:\.\d+){0,2}$/u;

/** Reports addresses that are probably a mistake: short ones, and private or reserved ones as the source of a request. */
export function checkAddresses({ comparisons, context }: Subject, report: Report): void {
  const isOfRequests = context.phase === undefined || context.phase.startsWith('http_');
  for (const comparison of comparisons) {
    const isSource = isOfRequests && plainField(comparison.left) === 'ip.src';
    for (const literal of addressesOf(comparison)) {
      const range = rangeOf(literal);
      if (SHORT.test(literal.text)) {
        const address = formatIpAddress({ family: range.family, value: range.first });
        const message = `${literal.text} is the address ${address}`;
        report('expression/short-address', { message, span: literal.span });
      }
      const use = isSource ? reservedFor(range) : undefined;
      if (use !== undefined) {
        const message = `${literal.text} is ${use}: no request comes from there`;
        report('expression/reserved-address', { message, span: literal.span });
      }
    }
  }
}

function rangeOf(literal: IpLiteral | IpRangeItem): IpRange {
  if (literal.kind === 'ip-range') {
    return literal.range;
  }
  const { family, value } = literal.value;
  return { family, first: value, last: value };
}

/**
 * Returns what the reserved network that contains the range is used for. The networks do not overlap, so only the last one that begins at
 * or before the range can contain it.
 */
function reservedFor({ family, first, last }: IpRange): string | undefined {
  const nearest = RANGES.findLast(({ range }) => range.family === family && range.first <= first);
  return nearest !== undefined && last <= nearest.range.last ? nearest.use : undefined;
}
