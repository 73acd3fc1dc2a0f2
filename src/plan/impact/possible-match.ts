import type { WildcardCase } from '../../expression/index.ts';
import { parseWildcard } from '../../expression/index.ts';
import type { Holds, TextPiece } from './possible-text.ts';
import { joinTexts, mayHold, narrower, part, text, holdsOf, KINDS } from './possible-text.ts';

/** A step of a pattern: a text, a run of characters of one class, or an end of a group. */
export type MatchStep =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'run';
      readonly has: (character: string) => boolean;
      readonly holds: Holds;
      /** The parts that may have one of its characters. */
      readonly within: ReadonlySet<Holds>;
      readonly least: 0 | 1;
      readonly most: 1 | 'many';
      /** Whether it ends where the text after it is found first, whatever follows. */
      readonly endsFirst: boolean;
    }
  | { readonly kind: 'open' | 'close'; readonly group: number };

/** The groups of what stands before and after the match of a regular expression. */
const BEFORE = 0;
const AFTER = -1;

type RepeatStep = Extract<MatchStep, { readonly kind: 'run' }>;

const ANYTHING: RepeatStep = {
  kind: 'run',
  has: () => true,
  holds: 'any',
  within: new Set(KINDS),
  least: 0,
  most: 'many',
  endsFirst: false,
};

/** Returns the steps of a wildcard pattern, which covers a whole text; undefined if it is none. */
export function wildcardSteps(pattern: string, letters: WildcardCase): readonly MatchStep[] | undefined {
  const parsed = parseWildcard(pattern);
  if (!parsed.ok) {
    return undefined;
  }
  const [first = '', ...rest] = parsed.pattern.runs;
  return [
    { kind: 'text', text: first },
    ...rest.flatMap((run, index): readonly MatchStep[] => [
      { kind: 'open', group: index + 1 },
      // The last run is found at the end, each other where it stands first. Which letters stand first is told in any case here.
      { ...ANYTHING, endsFirst: letters === 'fold' && index < rest.length - 1 },
      { kind: 'close', group: index + 1 },
      { kind: 'text', text: run },
    ]),
  ];
}

const TOKEN =
  /(\()|(\))|(\[\^?(?:[^\][\\^&~]|\\[dw./?#-])+\]|\.|\\[dw])|\\([^a-zA-Z0-9])|([^\\()[\]{}.*+?|^$])/y;
const QUANTIFIER = /([*+?]|\{\d+(?:,\d*)?\})\??/y;

/**
 * Returns the steps of a regular expression with what stands before and after its match. Undefined for all but plain ones: texts, classes,
 * repetitions of one character, and groups beside each other.
 */
export function regexSteps(pattern: string): readonly MatchStep[] | undefined {
  const isAtStart = pattern.startsWith('^');
  const isAtEnd = /[^\\]\$$/u.test(pattern);
  const body = pattern.slice(isAtStart ? 1 : 0, isAtEnd ? -1 : pattern.length);
  const steps: MatchStep[] = [];
  let group = 0;
  let isInside = false;
  for (let at = 0; at < body.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [whole, opens, closes, cls, escaped, plain] = TOKEN.exec(body) ?? [];
    if (whole === undefined || (opens !== undefined && isInside) || (closes !== undefined && !isInside)) {
      return undefined;
    }
    QUANTIFIER.lastIndex = TOKEN.lastIndex;
    const [repeated, sign] = QUANTIFIER.exec(body) ?? [];
    if (opens !== undefined || closes !== undefined) {
      if (repeated !== undefined) {
        return undefined;
      }
      group += opens === undefined ? 0 : 1;
      isInside = opens !== undefined;
      steps.push({ kind: isInside ? 'open' : 'close', group });
      continue;
    }
    TOKEN.lastIndex += repeated?.length ?? 0;
    const literal = escaped ?? plain;
    const step: MatchStep | undefined =
      literal !== undefined && sign === undefined
        ? { kind: 'text', text: literal }
        : runOf(cls ?? `[\\u{${literal?.codePointAt(0)?.toString(16) ?? '0'}}]`, sign);
    if (step === undefined) {
      return undefined;
    }
    steps.push(step);
  }
  return isInside
    ? undefined
    : [...(isAtStart ? [] : around(BEFORE)), ...joinSteps(steps), ...(isAtEnd ? [] : around(AFTER))];
}

function around(group: number): readonly MatchStep[] {
  return [{ kind: 'open', group }, ANYTHING, { kind: 'close', group }];
}

function runOf(cls: string, sign: string | undefined): RepeatStep | undefined {
  const pattern = classOf(cls);
  if (pattern === undefined) {
    return undefined;
  }
  const has = (character: string): boolean => pattern.test(character);
  const characters = Array.from({ length: 256 }, (_none, byte) => String.fromCharCode(byte)).filter(has);
  return {
    kind: 'run',
    has,
    holds: holdsOf(characters),
    within: new Set(KINDS.filter((holds) => characters.some((one) => mayHold(holds, one)))),
    least: sign === undefined || sign === '+' ? 1 : 0,
    most: sign === undefined || sign === '?' ? 1 : 'many',
    endsFirst: false,
  };
}

function classOf(cls: string): RegExp | undefined {
  try {
    return cls.includes('--') ? undefined : new RegExp(`^${cls}$`, 'us');
  } catch {
    return undefined;
  }
}

function joinSteps(steps: readonly MatchStep[]): readonly MatchStep[] {
  const joined: MatchStep[] = [];
  for (const step of steps) {
    const last = joined.at(-1);
    if (step.kind === 'text' && last?.kind === 'text') {
      joined[joined.length - 1] = { kind: 'text', text: last.text + step.text };
    } else {
      joined.push(step);
    }
  }
  return joined;
}

/** A position between two characters; one inside a part or the host has more of it to come. */
interface TextPosition {
  readonly piece: number;
  /** Characters of a text passed. */
  readonly offset: number;
  /** Undefined at the beginning of a piece; what was passed of the host, or null if that is not known. */
  readonly passed?: string | null;
}

interface CaptureGroup {
  readonly from: TextPosition;
  readonly to: TextPosition | undefined;
  readonly holds: Holds;
  /** The text that the pattern has after it. */
  readonly next: string | undefined;
}

type CaptureGroups = ReadonlyMap<number, CaptureGroup>;

/** Steps of a search after which nothing is known. */
const MOST_STEPS = 1_000;
/** The most ways to match that are told apart. */
const MOST_WAYS = 64;

/**
 * Returns what a replacement can give for a text that a pattern may match; undefined when there are too many ways. `zone` is the name that
 * every requested host has at its end.
 */
export function replaced(
  source: readonly TextPiece[],
  steps: readonly MatchStep[],
  { replacement, zone }: { readonly replacement: string; readonly zone: string | undefined },
): readonly (readonly TextPiece[])[] | undefined {
  const pieces = joinTexts(source);
  const found = new Map<string, readonly TextPiece[]>();
  let left = MOST_STEPS;
  const walk = (at: number, position: TextPosition, groups: CaptureGroups): void => {
    left -= 1;
    if (left < 0 || found.size > MOST_WAYS) {
      return;
    }
    const step = steps[at];
    if (step === undefined) {
      if (entries(pieces, position).some(({ piece }) => piece === pieces.length)) {
        const result = fill(replacement, (group) => captured(groups.get(group), group, { pieces, zone }));
        found.set(JSON.stringify(result), result);
      }
      return;
    }
    switch (step.kind) {
      case 'text':
        for (const next of passText(pieces, [position], step.text, zone)) {
          walk(at + 1, next, groups);
        }
        return;
      case 'run': {
        const following = steps.slice(at + 1).find(({ kind }) => kind === 'text' || kind === 'run');
        const sure = step.endsFirst && following?.kind === 'text' ? following.text : undefined;
        for (const next of passRun(pieces, position, { step, sure, zone })) {
          walk(at + 1, next, widened(groups, step.holds));
        }
        return;
      }
      case 'open':
        walk(
          at + 1,
          position,
          new Map(groups).set(step.group, { from: position, to: undefined, holds: 'label', next: undefined }),
        );
        return;
      default: {
        const group = groups.get(step.group);
        const following = steps[at + 1];
        const next = following?.kind === 'text' ? following.text : undefined;
        walk(
          at + 1,
          position,
          group === undefined ? groups : new Map(groups).set(step.group, { ...group, to: position, next }),
        );
      }
    }
  };
  walk(0, { piece: 0, offset: 0 }, new Map());
  return left < 0 || found.size > MOST_WAYS ? undefined : [...found.values()];
}

/** Notes in all open groups that characters of a class are in them. */
function widened(groups: CaptureGroups, holds: Holds): CaptureGroups {
  return new Map(
    [...groups].map(([name, group]) => [
      name,
      group.to !== undefined || narrower(group.holds, holds) === holds ? group : { ...group, holds },
    ]),
  );
}

/** Returns a position and those that it is as well, since texts end and parts may be empty. */
function entries(pieces: readonly TextPiece[], position: TextPosition): readonly TextPosition[] {
  const piece = pieces[position.piece];
  const next = { piece: position.piece + 1, offset: 0 };
  if (piece === undefined) {
    return [position];
  }
  if (piece.kind === 'text') {
    return position.offset === piece.text.length ? entries(pieces, next) : [position];
  }
  return piece.kind === 'part' && position.passed === undefined
    ? [position, ...entries(pieces, next)]
    : [position];
}

/** Returns where one character leads that `may` says is accepted; it may be the last of a part, or have more after it. */
function pass(
  pieces: readonly TextPiece[],
  position: TextPosition,
  {
    may,
    zone,
    exact,
  }: {
    readonly may: (holds: Holds, own: string | undefined) => boolean;
    readonly zone: string | undefined;
    readonly exact?: string;
  },
): readonly TextPosition[] {
  const piece = pieces[position.piece];
  const next = { piece: position.piece + 1, offset: 0 };
  if (piece === undefined) {
    return [];
  }
  if (piece.kind === 'text') {
    return may('any', piece.text.charAt(position.offset))
      ? [{ ...position, offset: position.offset + 1 }]
      : [];
  }
  if (!may(piece.kind === 'part' ? piece.holds : 'host', undefined)) {
    return [];
  }
  const before = position.passed === undefined ? '' : position.passed;
  const passed = piece.kind !== 'host' || exact === undefined || before === null ? null : before + exact;
  const mayEnd = passed === null || zone === undefined || `.${passed}`.endsWith(`.${zone}`);
  return [{ ...position, passed }, ...(mayEnd ? [next] : [])];
}

function keyOf({ piece, offset, passed }: TextPosition): string {
  return `${piece} ${offset} ${passed === undefined ? '' : passed === null ? '?' : `=${passed}`}`;
}

function distinct(positions: readonly TextPosition[]): readonly TextPosition[] {
  return [...new Map(positions.map((position) => [keyOf(position), position])).values()];
}

function passText(
  pieces: readonly TextPiece[],
  from: readonly TextPosition[],
  wanted: string,
  zone: string | undefined,
): readonly TextPosition[] {
  let positions = from;
  for (const character of wanted.toLowerCase()) {
    const may = (holds: Holds, own: string | undefined): boolean =>
      own === undefined ? mayHold(holds, character) : own.toLowerCase() === character;
    positions = distinct(
      positions
        .flatMap((position) => entries(pieces, position))
        .flatMap((position) => pass(pieces, position, { may, zone, exact: character })),
    );
  }
  return positions;
}

function passRun(
  pieces: readonly TextPiece[],
  from: TextPosition,
  {
    step,
    sure,
    zone,
  }: {
    readonly step: Extract<MatchStep, { kind: 'run' }>;
    readonly sure: string | undefined;
    readonly zone: string | undefined;
  },
): readonly TextPosition[] {
  const may = (holds: Holds, own: string | undefined): boolean =>
    own === undefined ? step.within.has(holds) : step.has(own);
  const reached = new Map<string, TextPosition>();
  let positions: readonly TextPosition[] = entries(pieces, from);
  if (step.least === 0) {
    for (const position of positions) {
      reached.set(keyOf(position), position);
    }
  }
  while (positions.length > 0) {
    const next = positions
      .flatMap((position) => (isSure(pieces, position, sure) ? [] : pass(pieces, position, { may, zone })))
      .flatMap((position) => entries(pieces, position))
      .filter((position) => !reached.has(keyOf(position)));
    for (const position of next) {
      reached.set(keyOf(position), position);
    }
    positions = step.most === 1 ? [] : distinct(next);
  }
  return [...reached.values()];
}

/** Whether a text certainly stands at a position. */
function isSure(
  pieces: readonly TextPiece[],
  { piece, offset }: TextPosition,
  wanted: string | undefined,
): boolean {
  const here = pieces[piece];
  return (
    wanted !== undefined &&
    wanted !== '' &&
    here?.kind === 'text' &&
    here.text.toLowerCase().startsWith(wanted.toLowerCase(), offset)
  );
}

/** Fills in the groups of a replacement; what stands before and after the match stays. */
function fill(replacement: string, groupOf: (group: number) => readonly TextPiece[]): readonly TextPiece[] {
  const middle = replacement.split(/(\$\$|\$\{[1-8]\})/u).flatMap((one): readonly TextPiece[] => {
    const number = /^\$\{([1-8])\}$/u.exec(one)?.[1];
    return number === undefined ? [text(one === '$$' ? '$' : one)] : groupOf(Number(number));
  });
  return joinTexts([...groupOf(BEFORE), ...middle, ...groupOf(AFTER)]);
}

/** Returns what a group holds. */
function captured(
  group: CaptureGroup | undefined,
  number: number,
  { pieces, zone }: { readonly pieces: readonly TextPiece[]; readonly zone: string | undefined },
): readonly TextPiece[] {
  if (group?.to === undefined) {
    return [];
  }
  const { from, to, holds, next } = group;
  const name = number > 0 ? `\${${number}}` : undefined;
  return pieces.slice(from.piece, to.piece + 1).flatMap((piece, index): readonly TextPiece[] => {
    const start = index === 0 ? from : { piece: 0, offset: 0 };
    const end = from.piece + index === to.piece ? to : undefined;
    switch (piece.kind) {
      case 'text':
        return [text(piece.text.slice(start.offset, end?.offset))];
      case 'part':
        return end !== undefined && end.passed === undefined
          ? []
          : [part(name ?? piece.from, narrower(piece.holds, holds))];
      default: {
        if (end !== undefined && end.passed === undefined) {
          return [];
        }
        const source = name ?? 'the requested host';
        if (end !== undefined) {
          const follower = pieces[to.piece + 1];
          const isBeforeZone =
            start.passed === undefined &&
            piece.kind === 'host' &&
            zone !== undefined &&
            follower?.kind === 'text' &&
            !mayHold('host', follower.text.charAt(0)) &&
            /^[a-z0-9._-]*(?=[^a-z0-9._-])/iu.exec(next ?? '')?.[0].toLowerCase() === zone;
          return [{ kind: 'part', from: source, holds: 'host', ...(isBeforeZone ? { isBeforeZone } : {}) }];
        }
        if (start.passed === undefined) {
          return [piece];
        }
        return typeof start.passed === 'string' &&
          piece.kind === 'host' &&
          zone !== undefined &&
          !overlaps(start.passed, zone)
          ? [{ kind: 'rest-of-host', after: start.passed }]
          : [part(source, 'host')];
      }
    }
  });
}

/** Whether a beginning of a host may reach into the zone's name. */
function overlaps(beginning: string, zone: string): boolean {
  return Array.from(
    { length: Math.min(beginning.length, zone.length - 1) },
    (_none, index) => index + 1,
  ).some((length) => beginning.endsWith(zone.slice(0, length)));
}
