import type { ScopeRef } from '../../model/index.ts';
import { zoneName } from '../../model/index.ts';
import type { TextPiece, PossibleText } from './possible-text.ts';
import { joinTexts } from './possible-text.ts';

/** Where a URL leads: to the requested host or one of the zone, to another one, to a URL without TLS, or to a host that requests decide. */
export type Destination =
  | { readonly kind: 'same' | 'unencrypted' | 'unknown' }
  | { readonly kind: 'host'; readonly host: string }
  /** `where` says what requests decide, `mend` how to end that. */
  | { readonly kind: 'open'; readonly where: string; readonly mend: string };

const SAME: Destination = { kind: 'same' };
const UNKNOWN: Destination = { kind: 'unknown' };

/** Stand in names of hosts for the requested host, for the rest of it, for a part of a host, and for what comes before the zone's name in it. */
const ASKED = '<';
const REST = '>';
const SOME = '*';
const BEFORE_ZONE = '^';

/** Returns where a URL leads that begins with these pieces, in a zone of this name. */
export function destinationOf(
  { pieces, isOfPlainHttp }: PossibleText,
  zone: string | undefined,
): Destination {
  const all = joinTexts(pieces);
  const [first, ...rest] = all;
  if (first === undefined) {
    return UNKNOWN;
  }
  if (first.kind !== 'text') {
    return first.kind === 'part' && first.holds === 'any' ? beginsOpen(first.from) : UNKNOWN;
  }
  if (first.text.startsWith('/')) {
    return onSameHost([{ kind: 'text', text: first.text.slice(1) }, ...rest]);
  }
  const [start, scheme] = /^(https?):\/\//iu.exec(first.text) ?? [];
  if (start === undefined || scheme === undefined) {
    const opens = rest.find((piece) => piece.kind === 'part' && piece.holds === 'any');
    return /^(?:h|ht|htt|https?|https?:\/?)$/iu.test(first.text) && opens?.kind === 'part'
      ? beginsOpen(opens.from)
      : UNKNOWN;
  }
  const destination = authority([{ kind: 'text', text: first.text.slice(start.length) }, ...rest], zone);
  const isDowngrade = scheme.toLowerCase() === 'http' && !isOfPlainHttp;
  return isDowngrade && destination.kind !== 'open' && destination.kind !== 'unknown'
    ? { kind: 'unencrypted' }
    : destination;
}

function beginsOpen(from: string): Destination {
  return {
    kind: 'open',
    where: `wherever ${from} says`,
    mend: 'begin the target with https://, a host and a slash',
  };
}

/** A path. Browsers take a second slash or backslash for the beginning of a host, and ignore white space before it. */
function onSameHost(pieces: readonly TextPiece[]): Destination {
  for (const piece of joinTexts(pieces)) {
    switch (piece.kind) {
      case 'text':
        return /^[/\\\0- ]/u.test(piece.text) ? UNKNOWN : SAME;
      case 'part':
        if (piece.holds === 'any') {
          return {
            kind: 'open',
            where: `wherever ${piece.from} says, since a target that begins with two slashes names a host`,
            mend: 'begin the target with https://, a host and a slash',
          };
        }
        break;
      default:
        return SAME;
    }
  }
  return SAME;
}

/** Reads the host up to what ends it; browsers take a backslash for a slash. Anything but a plain host and a port is not known. */
function authority(pieces: readonly TextPiece[], zone: string | undefined): Destination {
  let host = '';
  let after: string | undefined;
  let from: string | undefined;
  let isPort = false;
  for (const piece of joinTexts(pieces)) {
    if (piece.kind === 'text') {
      for (const character of piece.text.toLowerCase()) {
        if (/[/\\?#]/u.test(character)) {
          return named({ host, after, from }, zone);
        }
        if (!(isPort ? /\d/u : /[a-z0-9.:_-]/u).test(character)) {
          return UNKNOWN;
        }
        isPort ||= character === ':';
        host += isPort ? '' : character;
      }
    } else if (piece.kind === 'part' && piece.holds === 'any') {
      return {
        kind: 'open',
        where: `a host that the visitor can choose by ${piece.from}`,
        mend: `end the host with a slash before ${piece.from}`,
      };
    } else if (isPort) {
      if (piece.kind !== 'part' || piece.holds !== 'label') {
        return UNKNOWN;
      }
    } else if (piece.kind === 'part') {
      host += piece.isBeforeZone === true ? BEFORE_ZONE : SOME;
      from = piece.from;
    } else {
      host += piece.kind === 'host' ? ASKED : REST;
      after = piece.kind === 'host' ? after : piece.after;
    }
  }
  return named({ host, after, from }, zone);
}

interface HostPattern {
  readonly host: string;
  /** What comes before the rest of the requested host. */
  readonly after: string | undefined;
  /** What decides a part of the host. */
  readonly from: string | undefined;
}

function named({ host: written, after, from }: HostPattern, zone: string | undefined): Destination {
  // A final dot only says that the name is whole (RFC 1034).
  const host = written.replace(/(?<=[^.])\.$/u, '');
  if (host === '' || (host.match(/[<>^]/gu) ?? []).length > 1) {
    return UNKNOWN;
  }
  if (`.${host}`.endsWith(`.${ASKED}`) || isRestInZone(host, after)) {
    return SAME;
  }
  if (
    zone !== undefined &&
    (`.${host}`.endsWith(`.${zone}`) || `.${host}`.endsWith(`.${BEFORE_ZONE}${zone}`))
  ) {
    return SAME;
  }
  const isDecided = /[*^][^.]*(?:\.[^.]*)?$/u.test(host);
  return from !== undefined && isDecided
    ? {
        kind: 'open',
        where: `a host of which ${from} decides a part`,
        mend: zone === undefined ? 'write the end of its name out' : `end it with .${zone}/`,
      }
    : { kind: 'host', host: host.replaceAll(/[<>^]/gu, SOME) };
}

/** The rest of the requested host ends with the zone's name: at a label of its own, unless what precedes it is glued to that. */
function isRestInZone(host: string, after: string | undefined): boolean {
  if (after === undefined || !host.endsWith(REST)) {
    return false;
  }
  const before = host.slice(0, -1);
  return before === '' || before.endsWith('.') || (after !== '' && !after.endsWith('.'));
}

/** Returns the name of the zone in lower case; undefined for an account, whose zones nobody knows here. */
export function ownName(scope: ScopeRef): string | undefined {
  return scope.kind === 'zone' ? zoneName(scope).bare.toLowerCase() : undefined;
}

/** Whether a host in lower case is the zone, or a name in it. */
export function isOfZone(host: string, scope: ScopeRef): boolean {
  const zone = ownName(scope);
  return zone !== undefined && `.${host}`.endsWith(`.${zone}`);
}
