import type { FailedScope, Scope, OldFilter, OldFirewallRule } from '../../model/index.ts';
import { scopeLabel } from '../../model/index.ts';
import { someNames, counted } from '../../text/index.ts';
import { groupFailed } from '../summary.ts';
import { layOut, line, span, BLANK, hanging } from '../layout.ts';
import { failedLines } from '../lines/step-lines.ts';
import type { Pieces } from '../pieces.ts';
import type { Look, Line } from '../layout.ts';

/** What was found in a zone, or why it could not be read. */
export type ListedZone<Found extends { readonly scope: Scope }> =
  | (Found & { readonly kind: 'listed' })
  | FailedScope;

/** How to show the things found in a zone. */
export interface ZoneTelling<Found> {
  /** The name of the things, in the plural. */
  readonly things: string;
  readonly isEmpty: (found: Found) => boolean;
  readonly text: (found: Found, look: Look) => string;
}

/** The number of empty zones that are named. */
const NAMED = 20;

/** Yields what was found zone by zone; of several zones, the empty ones are only named. */
export function* zoneListsText<Found extends { readonly scope: Scope }>(
  zones: readonly ListedZone<Found>[],
  { things, isEmpty, text }: ZoneTelling<Found>,
  look: Look,
): Pieces & Iterable<string> {
  const listed = zones.filter((zone) => zone.kind === 'listed');
  const failed = zones.filter((zone) => zone.kind === 'failed');
  const empty = zones.length === 1 ? [] : listed.filter((zone) => isEmpty(zone));
  for (const zone of listed.filter((one) => !empty.includes(one))) {
    yield zones.length === 1 ? text(zone, look) : `${text(zone, look).trimEnd()}\n\n`;
  }
  const names = empty.map(({ scope }) => scopeLabel(scope));
  const total = `${counted(zones.length, 'zone')}: ${listed.length - empty.length} with ${things}, ${empty.length} without`;
  yield layOut(
    [
      ...groupFailed(failed).flatMap((group) => failedLines(group, 'read')),
      ...(names.length === 0 ? [] : [line(0, `No ${things}: ${someNames(names, NAMED)}`)]),
      ...(zones.length === 1
        ? []
        : [line(0, span('strong', `${total}${failed.length === 0 ? '' : `, ${failed.length} not read`}.`))]),
    ],
    look,
  );
}

/** The old rules and filters of a zone, and whether they are separate from its custom rules. */
export interface FirewallListReport {
  readonly scope: Scope;
  /** In list order. */
  readonly rules: readonly OldFirewallRule[];
  readonly filters: readonly OldFilter[];
  readonly world: {
    readonly kind: 'empty' | 'one-list' | 'two-lists' | 'unclear';
    readonly reason?: string;
  };
}

const WORLDS: Readonly<Record<FirewallListReport['world']['kind'], string>> = {
  empty: 'There are no firewall rules.',
  'one-list': 'One list: these rules are the custom rules, shown by the old interface.',
  'two-lists': 'Two lists: these rules live beside the custom rules, and run before them.',
  unclear: 'It is not clear whether these rules are the custom rules.',
};

/** Formats every rule with its filter, priority and pause, the filters that nothing uses, and the zone's world. */
export function firewallListText(report: FirewallListReport, look: Look): string {
  const { scope, rules, filters, world } = report;
  const numbers = new Map(rules.map(({ id }, index) => [id, index + 1]));
  const unused = filters.filter(({ id }) => rules.every(({ filter }) => filter.id !== id));
  return layOut(
    [
      line(
        0,
        span('heading', scopeLabel(scope)),
        ` · ${counted(rules.length, 'firewall rule')}, ${counted(filters.length, 'filter')}`,
      ),
      line(0, WORLDS[world.kind], ...(world.reason === undefined ? [] : [span('dim', ` (${world.reason})`)])),
      BLANK,
      ...rules.flatMap((rule, index) => [...ruleLines(rule, { index, rules, numbers }), BLANK]),
      ...(unused.length === 0
        ? []
        : [
            line(0, span('strong', 'Filters that no firewall rule uses')),
            ...unused.flatMap((filter) => filterLines(filter)),
          ]),
    ],
    look,
  );
}

function ruleLines(
  rule: OldFirewallRule,
  {
    index,
    rules,
    numbers,
  }: {
    readonly index: number;
    readonly rules: readonly OldFirewallRule[];
    readonly numbers: ReadonlyMap<string, number>;
  },
): readonly Line[] {
  const { filter } = rule;
  const sharing = rules.filter((other) => other !== rule && other.filter.id === filter.id);
  const shared = sharing.map(({ id }) => String(numbers.get(id) ?? id)).join(', ');
  return [
    line(
      0,
      `${String(index + 1).padStart(3)}  `,
      span(
        'strong',
        [rule.action, ...(rule.products.length === 0 ? [] : [rule.products.join(' ')])].join(' '),
      ),
      rule.description === '' ? '' : `  ${rule.description}`,
      ...(rule.paused ? [span('warning', '  paused')] : []),
    ),
    labelled('rule', `${rule.id}${rule.ref === '' ? '' : ` (${rule.ref})`}`),
    labelled('priority', rule.priority === null ? 'none' : String(rule.priority)),
    ...(filter.kind === 'deleted'
      ? [line(5, span('label', 'filter    '), filter.id, span('error', '  deleted'))]
      : [
          line(
            5,
            span('label', 'filter    '),
            `${filter.id}${filter.ref === '' ? '' : ` (${filter.ref})`}`,
            ...(filter.paused ? [span('warning', '  paused')] : []),
            ...(shared === '' ? [] : [span('info', `  shared with ${shared}`)]),
          ),
          labelled('matches', filter.expression),
        ]),
  ];
}

function filterLines({ id, ref, expression, description, paused }: OldFilter): readonly Line[] {
  return [
    line(
      5,
      `${id}${ref === '' ? '' : ` (${ref})`}`,
      description === '' ? '' : `  ${description}`,
      ...(paused ? [span('warning', '  paused')] : []),
    ),
    labelled('matches', expression),
  ];
}

function labelled(label: string, text: string): Line {
  return hanging(5, 10, span('label', label.padEnd(10)), text);
}
