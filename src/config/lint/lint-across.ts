import type { Condition } from '../../expression/index.ts';
import {
  flatten,
  isWithinRange,
  mergeRanges,
  parseExpression,
  parseIpSetItem,
  plainField,
} from '../../expression/index.ts';
import type { IpRange } from '../../data/index.ts';
import { groupBy } from '../../data/index.ts';
import type { Cause, DesiredRule, DesiredRuleset, DesiredScope, Diagnostic } from '../../model/index.ts';
import {
  actionKind,
  actsOnEveryMatch,
  isVersion,
  phaseFacts,
  phaseOrder,
  scopeLabel,
  skipsRest,
  spanFrom,
} from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import type { DiagnosticCode } from '../source/finding.ts';
import { finding } from '../source/finding.ts';

/** A rule that is about addresses of visitors. */
interface AddressRule {
  readonly rule: DesiredRule;
  readonly ruleset: DesiredRuleset;
  /** Of the rule, in its ruleset. */
  readonly index: number;
  readonly scope: string;
  /** In the order of the files. */
  readonly ranges: readonly (IpRange & { readonly text: string })[];
  /** Whether the rule matches all requests from these addresses. */
  readonly isWhole: boolean;
}

/**
 * Reports what only shows when rules and lists of all zones are laid side by side: an address that one rule blocks and another lets past, rules for
 * addresses that an earlier phase has blocked, rules for the edge's own addresses, and lists that no rule names.
 */
export function lintAcross(scopes: readonly DesiredScope[]): readonly Diagnostic[] {
  const lists = addressLists(scopes);
  const rules = scopes.flatMap((scope) => addressRules(scope, lists));
  return [
    ...conflicts(rules),
    ...blockedBefore(rules, scopes),
    ...edgeAddresses(rules),
    ...unusedLists(scopes),
  ];
}

/** The addresses of declared lists, by name; a name that two accounts have is left out, since a zone's file does not say whose it means. */
function addressLists(scopes: readonly DesiredScope[]): ReadonlyMap<string, AddressRule['ranges']> {
  const named = groupBy(
    scopes.flatMap(({ lists = [] }) => lists.filter(({ presence }) => presence === 'present')),
    ({ name }) => name,
  );
  return new Map(
    [...named].flatMap(([name, [list, ...others]]) => {
      if (list === undefined || others.length > 0 || list.kind !== 'ip' || list.items === 'external') {
        return [];
      }
      const ranges = list.items.flatMap((item) => ('ip' in item ? rangesOfText(item.ip) : []));
      return [[name, ranges.map((one) => ({ ...one, text: `${one.text} of $${name}` }))] as const];
    }),
  );
}

function rangesOfText(text: string): AddressRule['ranges'] {
  const read = parseIpSetItem(text);
  return read.ok ? [{ ...read.range, text }] : [];
}

function addressRules(
  { scope, rulesets }: DesiredScope,
  lists: ReadonlyMap<string, AddressRule['ranges']>,
): readonly AddressRule[] {
  return rulesets.flatMap((ruleset) =>
    ruleset.rules.flatMap((rule, index): readonly AddressRule[] => {
      const { enabled, expression } = rule.content;
      const parsed = enabled && expression.includes('ip.src') ? parseExpression(expression) : undefined;
      if (parsed?.ok !== true || parsed.tree.mode !== 'filter') {
        return [];
      }
      const clauses = flatten(parsed.tree.root, 'and');
      const ranges = clauses.map((clause) => rangesOf(clause, lists)).find((some) => some.length > 0);
      return ranges === undefined
        ? []
        : [
            {
              rule,
              ruleset,
              index,
              scope: scopeLabel(scope),
              ranges,
              isWhole: clauses.length === 1 && ruleset.address.kind === 'entrypoint',
            },
          ];
    }),
  );
}

/** The addresses that a clause demands of a visitor; none where it is about something else. */
function rangesOf(
  clause: Condition,
  lists: ReadonlyMap<string, AddressRule['ranges']>,
): AddressRule['ranges'] {
  if (clause.kind !== 'comparison' || clause.elementwise || plainField(clause.left) !== 'ip.src') {
    return [];
  }
  const { operator, right } = clause;
  if (operator === 'eq' && right.kind === 'ip') {
    return rangesOfText(right.text);
  }
  if (operator !== 'in') {
    return [];
  }
  if (right.kind === 'list') {
    return lists.get(right.name) ?? [];
  }
  return right.kind === 'set' && right.of === 'Ip'
    ? right.items.map(({ range, text }) => ({ ...range, text }))
    : [];
}

/** Rules that block the same ranges, or let them past: a list is looked at once, however many zones name it. */
interface AlikeRules {
  readonly kind: 'block' | 'skip';
  readonly ranges: AddressRule['ranges'];
  readonly rules: readonly AddressRule[];
}

/** Reports each rule that lets past what another one blocks, unless it is an exception from that block. */
function conflicts(rules: readonly AddressRule[]): readonly Diagnostic[] {
  return [...overlaps(alikeRules(rules))].flatMap(([skips, blocks]) =>
    skips.rules.flatMap((skip) => {
      const [first, ...others] = [...blocks].flatMap(([{ rules: blocking }, text]) =>
        blocking.filter((block) => !isException(skip, block)).map((block) => ({ block, text })),
      );
      if (first === undefined) {
        return [];
      }
      const more = others.length === 0 ? '' : `, and by ${counted(others.length, 'more rule')}`;
      return [
        at(skip.rule, 'across/address-conflict', {
          message: `${first.text} may skip rules here, and is blocked by ${named(first.block)}${more}`,
          hint: 'if one of them is out of date, remove it; where both are meant, a list that the rules name says it once',
        }),
      ];
    }),
  );
}

function alikeRules(rules: readonly AddressRule[]): readonly AlikeRules[] {
  const deciding = rules.flatMap((one) => {
    const { content } = one.rule;
    const kind = actionKind(content.action);
    return one.isWhole && (kind === 'block' || kind === 'skip') && actsOnEveryMatch(content)
      ? [{ ...one, kind, key: `${kind} ${one.ranges.map(({ text }) => text).join(' ')}` }]
      : [];
  });
  return [...groupBy(deciding, ({ key }) => key).values()].flatMap((alike) => {
    const [first] = alike;
    return first === undefined ? [] : [{ kind: first.kind, ranges: first.ranges, rules: alike }];
  });
}

/**
 * Returns which rules that let past have addresses of which that block, each with the text of the narrower of the first two ranges that meet. Ranges
 * are swept in order, so that the work grows with what overlaps.
 */
function overlaps(groups: readonly AlikeRules[]): ReadonlyMap<AlikeRules, ReadonlyMap<AlikeRules, string>> {
  const all = groups
    .flatMap((group) => group.ranges.map((range) => ({ group, range })))
    .toSorted(
      ({ range: a }, { range: b }) =>
        a.family - b.family || Number(a.first > b.first) - Number(a.first < b.first),
    );
  const found = new Map<AlikeRules, Map<AlikeRules, string>>();
  let open: typeof all = [];
  for (const one of all) {
    open = open.filter(({ range }) => range.family === one.range.family && range.last >= one.range.first);
    for (const other of open) {
      if (other.group.kind !== one.group.kind) {
        const [skip, block] = one.group.kind === 'skip' ? [one, other] : [other, one];
        const known = found.get(skip.group) ?? new Map<AlikeRules, string>();
        if (!known.has(block.group)) {
          known.set(block.group, (isWithinRange(skip.range, block.range) ? skip : block).range.text);
        }
        found.set(skip.group, known);
      }
    }
    open.push(one);
  }
  return found;
}

/** Whether a skip rule comes before a block in its ruleset and keeps it from what both match: so exceptions are written. */
function isException(skip: AddressRule, block: AddressRule): boolean {
  return (
    skip.ruleset === block.ruleset &&
    skip.index < block.index &&
    skipsRest(skip.rule.content, skip.ruleset.address.phase)
  );
}

/**
 * Reports rules for addresses that are all blocked by an earlier phase of the same scope. Where a rule, perhaps one of others, may skip that block,
 * nothing is said; neither is anything of responses, which a block has too.
 */
function blockedBefore(
  rules: readonly AddressRule[],
  scopes: readonly DesiredScope[],
): readonly Diagnostic[] {
  const unsure = scopes.filter(({ rulesets }) =>
    rulesets.some(
      ({ rules: own, ownership }) =>
        ownership.kind !== 'all' ||
        own.some(({ content }) => content.enabled && actionKind(content.action) === 'skip'),
    ),
  );
  if (unsure.some(({ scope }) => scope.kind === 'account')) {
    return [];
  }
  const labels = new Set(unsure.map(({ scope }) => scopeLabel(scope)));
  const byScope = groupBy(
    rules.filter(
      ({ scope, ruleset }) => !labels.has(scope) && phaseFacts(ruleset.address.phase)?.stage === 'request',
    ),
    ({ scope }) => scope,
  );
  return [...byScope.values()].flatMap((own) => {
    const blocking = own.filter(
      ({ rule, isWhole }) =>
        isWhole && actionKind(rule.content.action) === 'block' && actsOnEveryMatch(rule.content),
    );
    return own.flatMap((later) => {
      const before = blocking.filter(
        ({ ruleset }) => phaseOrder(ruleset.address.phase) < phaseOrder(later.ruleset.address.phase),
      );
      const block = before.find(({ ranges }) => covers(ranges, later.ranges));
      return block === undefined
        ? []
        : [
            at(later.rule, 'across/blocked-before', {
              message: `all addresses of this rule are blocked before, by ${named(block)}`,
              hint: 'no request reaches it: remove it, or take the addresses out of the earlier rule',
            }),
          ];
    });
  });
}

/** Whether ranges, one or several together, hold all of others. */
function covers(ranges: AddressRule['ranges'], others: AddressRule['ranges']): boolean {
  const own = mergeRanges(ranges);
  const all = ranges === others ? own : mergeRanges([...own, ...others]);
  return (
    all.length === own.length &&
    all.every(({ first, last }, index) => own[index]?.first === first && own[index].last === last)
  );
}

/**
 * The vendor's published ranges, from which the edge asks origins (its page "IP addresses", and `GET /ips`). Visitors come from them only through
 * programs at the edge and the vendor's own VPN.
 */
const EDGE_RANGES: readonly IpRange[] = [
  '103.21.244.0/22',
  '103.22.200.0/22',
  '103.31.4.0/22',
  '104.16.0.0/13',
  '104.24.0.0/14',
  '108.162.192.0/18',
  '131.0.72.0/22',
  '141.101.64.0/18',
  '162.158.0.0/15',
  '172.64.0.0/13',
  '173.245.48.0/20',
  '188.114.96.0/20',
  '190.93.240.0/20',
  '197.234.240.0/22',
  '198.41.128.0/17',
  '2400:cb00::/32',
  '2405:8100::/32',
  '2405:b500::/32',
  '2606:4700::/32',
  '2803:f800::/32',
  '2a06:98c0::/29',
  '2c0f:f248::/32',
].flatMap(rangesOfText);

function edgeAddresses(rules: readonly AddressRule[]): readonly Diagnostic[] {
  return rules.flatMap(({ rule, ranges }) => {
    const own = ranges.filter((range) => EDGE_RANGES.some((one) => isWithinRange(range, one)));
    const [first] = own;
    const more = own.length > 1 ? ` and ${counted(own.length - 1, 'more range')}` : '';
    return first === undefined
      ? []
      : [
          at(rule, 'across/edge-address', {
            message: `${first.text}${more} ${own.length > 1 ? 'are' : 'is'} the edge's own: ip.src is the visitor, who comes from there only through programs at the edge and the vendor's VPN`,
            hint: 'if requests of the edge to an origin are meant, the rule belongs at the origin',
          }),
        ];
  });
}

/** Reports declared lists that no rule of the files names. */
function unusedLists(scopes: readonly DesiredScope[]): readonly Diagnostic[] {
  const used = new Set(
    scopes.flatMap(({ rulesets }) =>
      rulesets.flatMap(({ rules }) => rules.flatMap(({ lists = [] }) => lists.map(({ name }) => name))),
    ),
  );
  return scopes.flatMap(({ lists = [] }) =>
    lists
      .filter(({ name, presence }) => presence === 'present' && !used.has(name))
      .map((list) =>
        at(list, 'across/unused-list', {
          message: `no rule of these files names the list ${list.name}`,
          hint: `rules that no file declares may; if none does, ${list.items === 'external' ? 'take it out of the file' : '`absent: true` deletes it'}`,
        }),
      ),
  );
}

function named({ rule, ruleset, scope }: AddressRule): string {
  return `${rule.ref ?? 'a rule'} in ${scope}/${ruleset.address.phase}`;
}

function at(
  { cause }: { readonly cause: Cause },
  code: DiagnosticCode,
  { message, hint }: { readonly message: string; readonly hint: string },
): Diagnostic {
  return finding(code, { message, hint, where: isVersion(cause) ? undefined : spanFrom(cause) });
}
