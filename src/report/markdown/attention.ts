import { describedName } from '../../model/index.ts';
import type { AttentionItem, Found, AttentionGroup, Titling } from '../attention.ts';
import { isGrave, isOfDrift, attentionCounts, MOST_DRIFT_SHOWN, attentionGroups } from '../attention.ts';
import type { Alike } from '../alike-scopes.ts';
import { alikeNames, alikeReason, alikeText, scopeNames } from '../alike-scopes.ts';
import type { FailedGroup } from '../summary.ts';
import { momentText } from '../moment.ts';
import type { Block, BoxLevel, SourceLinks } from './block.ts';
import { nameRows, paragraph, code, proseLines, causeLink } from './block.ts';

/** The number of members shown in a box; all of them are in the details below. */
const MOST_SHOWN = 20;

/** How to show boxes. */
interface BoxTelling extends Titling {
  readonly links: SourceLinks;
  /** Whether every member is shown: needed when there are no details below. */
  readonly all?: boolean;
}

/** Returns a paragraph with the counts of what needs attention. */
export function countBlocks(items: readonly AttentionItem[]): readonly Block[] {
  const counts = attentionCounts(items, { where: 'top' });
  return counts === null ? [] : [paragraph(counts)];
}

/** Returns what must not be overlooked: a box for each title, gravest first. */
export function attentionBoxes(items: readonly AttentionItem[], telling: BoxTelling): readonly Block[] {
  return attentionGroups(items, telling).flatMap((group) => groupBox(group, telling));
}

function groupBox(group: AttentionGroup, { links, all = false }: BoxTelling): readonly Block[] {
  if (group.level === 'failed') {
    return box('caution', group.title, group.members.flatMap(failedItems), Infinity);
  }
  const { title, members } = group;
  const most = all ? members.length : isOfDrift(group) ? MOST_DRIFT_SHOWN : MOST_SHOWN;
  const items = members.map((alike) => foundItem(alike, links));
  return box(isGrave(group) ? 'caution' : 'warning', title, items, most);
}

/** Returns a box with at most `most` items; nothing when there are none. */
export function box(
  level: BoxLevel,
  title: string,
  items: readonly string[],
  most = MOST_SHOWN,
): readonly Block[] {
  const more = items.length - most;
  const shown = more > 0 ? [...items.slice(0, most), `… and ${more} more, marked below`] : items;
  return items.length === 0 ? [] : [{ kind: 'box', level, title, items: shown }];
}

/** Formats a finding: what it is, about which rule, and where. */
function foundItem(alike: Alike<Found>, links: SourceLinks): string {
  const { item, scopes, rules } = alike;
  const { kind, step = '', reason, message, cause, live } = item;
  const alone = rules.length + scopes.length === 0;
  const name = isOfDrift(item) ? '' : `**${kind}**`;
  return [
    reason === undefined
      ? `${name}: ${proseLines(alikeText(message, alike))}`
      : `${name} ${whatText(alike, reason)}`.trimStart(),
    ...(reason === undefined || step === '' ? [] : [code(alikeText(step, alike))]),
    ...(scopes.length === 0 ? [] : [scopeNames(scopes, code)]),
    ...(alone && cause !== undefined ? [causeLink(cause, links)] : []),
    ...(alone && live !== undefined ? versionText(live) : []),
  ].join(' · ');
}

/** Formats what was found about a rule, about many, or about a whole ruleset. */
function whatText(alike: Alike<Found>, reason: string): string {
  const { rule = '', description = '' } = alike.item;
  if (alike.rules.length > 0) {
    return `${proseLines(alikeReason(reason, alike))}: ${alikeNames(alike, code)}`;
  }
  const about = rule === '' ? '' : `${code(alikeText(describedName(rule, description), alike))}: `;
  return about + proseLines(alikeText(reason, alike));
}

function versionText({ version, lastUpdated }: NonNullable<Found['live']>): readonly string[] {
  return version === null
    ? []
    : [`version ${code(version)}${lastUpdated === null ? '' : ` of ${code(momentText(lastUpdated))}`}`];
}

/** Formats scopes that failed for one reason, in rows of names. */
function failedItems({ scopes, error: { code: name, message, hint } }: FailedGroup): readonly string[] {
  const rows = nameRows(scopes.map((scope) => `${scope.kind} ${code(scope.name)}`));
  const why = `: ${proseLines(message)} (${code(name)})${hint === undefined ? '' : `<br>${proseLines(hint)}`}`;
  return rows.map((row, index) => (index === 0 ? `${row}${why}` : row));
}
