import { describedName, isUnchecked } from '../model/index.ts';
import { counted } from '../text/index.ts';
import type { Alike } from './alike-scopes.ts';
import { alikeMessage, ruleNamesOf, alikeReason, alikeText, scopeNames } from './alike-scopes.ts';
import type { AttentionGroup, AttentionItem, Found, Level, Titling } from './attention.ts';
import { attentionGroups, isSevere, isOfDrift, MOST_DRIFT_SHOWN } from './attention.ts';
import type { FailedGroup } from './summary.ts';
import { causeSpans, momentText } from './print-value.ts';
import type { Block, CalloutBlock, EntryBlock, Inline, StyledSpan } from './tree.ts';
import { entry, hintBlocks, message, messageBlocks, span } from './tree.ts';
import { nameOf } from './own-names.ts';

/** Where in the document a finding is shown, by the label of the scope; and the anchor of the finding itself. */
export interface FindingPlaces {
  readonly anchor: string;
  readonly places: ReadonlyMap<string, string>;
}

/** How findings are shown. */
interface CalloutContext extends Titling {
  /** Other titles by level. */
  readonly titles?: ReadonlyMap<Level, string>;
  /** Where the findings that are not shown are seen. */
  readonly more?: string;
  readonly placesOf?: (finding: Alike<Found>) => FindingPlaces | undefined;
}

/** The number of findings under one title; all of them are marked below. */
const MOST_SHOWN = 50;

/** Returns what must not be overlooked, most severe first, under a title each. */
export function attentionCallouts(
  items: readonly AttentionItem[],
  context: CalloutContext,
): readonly CalloutBlock[] {
  return groupCallouts(attentionGroups(items, context), context);
}

/** Returns groups of what must not be overlooked. */
export function groupCallouts(
  groups: readonly AttentionGroup[],
  context: CalloutContext,
): readonly CalloutBlock[] {
  return groups.flatMap((group) => calloutsOf(group, context));
}

function calloutsOf(group: AttentionGroup, context: CalloutContext): readonly CalloutBlock[] {
  if (group.level === 'failed') {
    return failedCallouts(
      group.members,
      `${context.of === undefined ? '' : `of ${context.of} `}could not be planned`,
    );
  }
  const { level, title, members } = group;
  const severe = level === 'never' || level === 'refused';
  const most = context.detail === 'each' ? members.length : isOfDrift(group) ? MOST_DRIFT_SHOWN : MOST_SHOWN;
  return [
    {
      kind: 'callout',
      level: isSevere(group) ? 'error' : 'warning',
      title: [context.titles?.get(level) ?? title],
      entries: members.map((one) => findingEntry(one, { style: severe ? 'error' : 'warning', ...context })),
      most,
      more: context.more ?? 'marked below',
    },
  ];
}

/** Returns a finding: what it is, about which rule, and where. */
function findingEntry(
  alike: Alike<Found>,
  { style, placesOf }: { readonly style: 'error' | 'warning' } & Pick<CalloutContext, 'placesOf'>,
): EntryBlock {
  const { item, scopes, rules } = alike;
  const places = placesOf?.(alike);
  const [first] = places?.places.values() ?? [];
  const to = first === undefined ? undefined : ({ kind: 'anchor', anchor: first } as const);
  const alone = rules.length + scopes.length === 0;
  const kind = isOfDrift(item) ? [] : [span(style, item.kind, to), '  '];
  return entry({ sign: '!', style }, [...kind, ...findingText(alike, isOfDrift(item) ? to : undefined)], {
    facts: [
      ...(alone && item.cause !== undefined ? [causeSpans(item.cause)] : []),
      ...(alone && item.live !== undefined ? versionFacts(item.live) : []),
    ],
    body: scopes.length === 0 ? [] : [scopesBlock(scopes, places?.places ?? new Map())],
    ...(places === undefined ? {} : { anchor: places.anchor }),
  });
}

function findingText(alike: Alike<Found>, to: StyledSpan['to']): Inline {
  const { step = '', rule = '', description = '', reason, level } = alike.item;
  if (alike.rules.length > 0) {
    const about = alikeReason(reason ?? '', alike);
    const names = someSpans(ruleNamesOf(alike), NAMED_FEW, (name) => span('name', name, to));
    const place = span('code', alikeText(step, alike));
    return isOfDrift(alike.item)
      ? [`${about} in `, place, ': ', ...names]
      : [place, `: ${about}: `, ...names];
  }
  const name = alikeText(describedName(rule, description), alike);
  const place = span('code', alikeText(step, alike));
  if (level === 'noted') {
    return [
      place,
      ': ',
      ...(rule === '' ? [] : [span('name', name), ': ']),
      message(alikeText(reason ?? '', alike)),
    ];
  }
  if (rule === '' || reason === undefined) {
    return [message(alikeMessage(alike))];
  }
  return isOfDrift(alike.item)
    ? [span('name', name, to), ' in ', place, `: ${alikeText(reason, alike)}`]
    : [place, ': rule ', span('name', name), ` ${alikeText(reason, alike)}`];
}

function versionFacts({ version, lastUpdated }: NonNullable<Found['live']>): readonly Inline[] {
  return version === null
    ? []
    : [[span('dim', `version ${version}${lastUpdated === null ? '' : ` of ${momentText(lastUpdated)}`}`)]];
}

/** The number of rules or scopes that a finding about many names. */
const NAMED_FEW = 3;

/** Returns the first of many names, and the number of the others. */
function someSpans(names: readonly string[], most: number, show: (name: string) => StyledSpan): Inline {
  const shown = names.slice(0, most).flatMap((name, index) => [...(index === 0 ? [] : [', ']), show(name)]);
  return names.length > most ? [...shown, ` and ${names.length - most} more`] : shown;
}

/** Returns all scopes of a finding with links to where each shows it; in brief their number and the first of them. */
function scopesBlock(labels: readonly string[], places: FindingPlaces['places']): Block {
  const brief = scopeNames(labels, (name) => name);
  const [count = ''] = brief.split(': ');
  const names = labels.map((label): StyledSpan => {
    const anchor = places.get(label);
    return { text: nameOf(label), ...(anchor === undefined ? {} : { to: { kind: 'anchor', anchor } }) };
  });
  return {
    kind: 'either',
    whole: [{ kind: 'section', rank: 3, title: [brief], folded: true, body: [{ kind: 'names', names }] }],
    brief: [
      {
        kind: 'paragraph',
        text: [`${count}: `, ...someSpans(labels.map(nameOf), NAMED_FEW, (name) => span('code', name))],
      },
    ],
  };
}

/** Returns why scopes failed; `did` says what could not be done with them: `of 12 could not be planned`. */
export function failedCallouts(groups: readonly FailedGroup[], did: string): readonly CalloutBlock[] {
  const callout = (
    of: readonly FailedGroup[],
    level: 'error' | 'info',
    what: string,
  ): readonly CalloutBlock[] =>
    of.length === 0
      ? []
      : [
          {
            kind: 'callout',
            level,
            title: [
              `${counted(
                of.reduce((sum, { scopes }) => sum + scopes.length, 0),
                'scope',
              )} ${what}`,
            ],
            entries: of.map((group) => failedEntry(group, level)),
          },
        ];
  return [
    ...callout(
      groups.filter((group) => !isUnchecked(group)),
      'error',
      did,
    ),
    ...callout(groups.filter(isUnchecked), 'info', 'not checked in this run'),
  ];
}

/** The number of scopes named that failed for one reason. */
const NAMED = 5;

function failedEntry({ scopes, error }: FailedGroup, style: 'error' | 'info'): EntryBlock {
  const names = scopes.map(({ kind, name }) => `${kind} ${name}`);
  return entry(
    { sign: style === 'error' ? '!' : '-', style },
    [
      span('strong', names.length > NAMED ? counted(names.length, 'scope') : names.join(', ')),
      '  ',
      span('code', error.code),
    ],
    {
      body: [
        ...(names.length > NAMED
          ? [{ kind: 'names' as const, names: names.map((text) => ({ text })), most: NAMED }]
          : []),
        ...messageBlocks(error.message),
        ...hintBlocks(error.hint),
      ],
    },
  );
}
