import type { Argument, FunctionCall, Field, Operand } from '../../expression/index.ts';
import type { TextPiece, PossibleText } from './possible-text.ts';
import { HOST, joinTexts, mayHold, part, text } from './possible-text.ts';
import { regexSteps, wildcardSteps, replaced } from './possible-match.ts';
import type { MatchStep } from './possible-match.ts';

/** What an expression can be, given the name of the zone, and whether the condition of its rule makes sure of a comparison. */
export interface ValueContext {
  readonly zone: string | undefined;
  readonly isSure: (comparison: string) => boolean;
}

/** The most texts that are told apart. */
const MOST_TEXTS = 64;

/** Returns all texts that an operand can have. */
export function possibleTexts(operand: Operand, known: ValueContext): readonly PossibleText[] {
  const { source, indexes } = operand;
  if (indexes.length > 0) {
    return only(part(nameOf(operand), isPartOfHost(operand) ? 'label' : 'any'));
  }
  const texts = source.kind === 'field' ? ofField(source) : ofCall(source, known);
  return texts === undefined || texts.length > MOST_TEXTS ? only(part(nameOf(operand))) : texts;
}

function only(...pieces: readonly TextPiece[]): readonly PossibleText[] {
  return [{ pieces, isOfPlainHttp: false }];
}

/** `split(http.host, ".", 9)[0]`: between the dots of a host are labels. */
function isPartOfHost({ source }: Operand): boolean {
  const [given, separator] = source.kind === 'call' && source.name === 'split' ? source.arguments : [];
  return (
    given?.kind === 'operand' &&
    given.indexes.length === 0 &&
    given.source.kind === 'field' &&
    given.source.name === 'http.host' &&
    separator?.kind === 'bytes' &&
    separator.value === '.'
  );
}

function nameOf({ source, indexes }: Operand): string {
  if (source.kind === 'field') {
    return (
      source.name +
      indexes.map((index) => (index.kind === 'key' ? `[${index.literal.text}]` : '[…]')).join('')
    );
  }
  const [first] = source.arguments;
  return first?.kind === 'operand' ? `${source.name}(${nameOf(first)})` : source.name;
}

/** Fields of letters and digits alone: codes of countries and continents, and numbers. */
const CODES =
  /^(?:ip\.(?:src|geoip)\.(?:country|continent)|ip\.src\.(?:region_code|subdivision_1_iso_code)|cf\.colo\.name|cf\.ray_id|http\.request\.method)$/;

function ofField({ name }: Field): readonly PossibleText[] | undefined {
  switch (name) {
    case 'http.host':
      return only(HOST);
    case 'http.request.uri':
    case 'http.request.uri.path':
    case 'raw.http.request.uri':
    case 'raw.http.request.uri.path':
      return only(text('/'), part(name));
    case 'http.request.full_uri':
    case 'raw.http.request.full_uri':
      return [false, true].flatMap((isOfPlainHttp) => {
        const scheme = text(isOfPlainHttp ? 'http://' : 'https://');
        const rest = [text('/'), part(name)];
        return [
          { pieces: [scheme, HOST, ...rest], isOfPlainHttp },
          { pieces: [scheme, HOST, text(':'), part(name, 'label'), ...rest], isOfPlainHttp },
        ];
      });
    default:
      return CODES.test(name) ? only(part(name, 'label')) : undefined;
  }
}

function ofCall(call: FunctionCall, known: ValueContext): readonly PossibleText[] | undefined {
  const [first, second, third, fourth] = call.arguments;
  if (call.elementwise || first === undefined) {
    return undefined;
  }
  switch (call.name) {
    case 'concat':
      return concatenated(call.arguments.map((one) => ofArgument(one, known)));
    case 'coalesce':
      return call.arguments.flatMap((one) => ofArgument(one, known));
    case 'lower':
      return mapTexts(ofArgument(first, known), (one) => one.toLowerCase());
    case 'upper':
      return mapTexts(ofArgument(first, known), (one) => one.toUpperCase());
    case 'to_string':
      return first.kind === 'operand' && first.type.kind === 'Int'
        ? only(part(nameOf(first), 'label'))
        : undefined;
    case 'uuidv4':
      return only(part('uuidv4', 'label'));
    case 'url_decode':
      return ofArgument(first, known).map(decoded);
    case 'remove_bytes':
      return second?.kind === 'bytes' ? without(ofArgument(first, known), second.value) : undefined;
    case 'substring':
      return second?.kind === 'int'
        ? ofArgument(first, known).map((one) => cut(one, Number(second.value), third))
        : undefined;
    case 'wildcard_replace':
    case 'regex_replace': {
      const steps = second?.kind === 'bytes' ? stepsOf(call, second.value) : undefined;
      if (steps === undefined || third?.kind !== 'bytes' || second?.kind !== 'bytes') {
        return undefined;
      }
      const operator =
        call.name === 'regex_replace' ? 'matches' : `${fourth === undefined ? '' : 'strict '}wildcard`;
      const isMatched =
        first.kind === 'operand' && first.source.kind === 'field' && first.indexes.length === 0
          ? known.isSure(`${first.source.name} ${operator} ${second.text}`)
          : false;
      return withReplacements(ofArgument(first, known), {
        steps,
        replacement: third.value,
        zone: known.zone,
        isMatched,
      });
    }
    default:
      return undefined;
  }
}

function stepsOf(
  { name, arguments: given }: FunctionCall,
  pattern: string,
): readonly MatchStep[] | undefined {
  return name === 'regex_replace'
    ? regexSteps(pattern)
    : wildcardSteps(pattern, given.length > 3 ? 'exact' : 'fold');
}

function ofArgument(argument: Argument, known: ValueContext): readonly PossibleText[] {
  return argument.kind === 'operand'
    ? possibleTexts(argument, known)
    : only(argument.kind === 'bytes' ? text(argument.value) : part(argument.kind));
}

function concatenated(parts: readonly (readonly PossibleText[])[]): readonly PossibleText[] | undefined {
  let texts: readonly PossibleText[] = only();
  for (const each of parts) {
    texts = texts.flatMap((one) =>
      each.map((other) => ({
        pieces: joinTexts([...one.pieces, ...other.pieces]),
        isOfPlainHttp: one.isOfPlainHttp || other.isOfPlainHttp,
      })),
    );
    if (texts.length > MOST_TEXTS) {
      return undefined;
    }
  }
  return texts;
}

function mapTexts(
  texts: readonly PossibleText[],
  change: (value: string) => string,
): readonly PossibleText[] {
  return texts.map((one) => ({
    ...one,
    pieces: one.pieces.map((piece) => (piece.kind === 'text' ? text(change(piece.text)) : piece)),
  }));
}

/** Text before the first escape stays as it is; what comes after an unknown part may belong to an escape of it. */
function decoded({ pieces, isOfPlainHttp }: PossibleText): PossibleText {
  const kept: TextPiece[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'text' && /[%+]/u.test(piece.text)) {
      const [before = ''] = piece.text.split(/[%+]/u);
      return { pieces: [...kept, text(before), part('url_decode')], isOfPlainHttp };
    }
    if (piece.kind === 'part' && piece.holds === 'any') {
      return { pieces: [...kept, part(`url_decode(${piece.from})`)], isOfPlainHttp };
    }
    kept.push(piece);
  }
  return { pieces: kept, isOfPlainHttp };
}

/** Bytes that hosts have change what is known of the requested one. */
function without(texts: readonly PossibleText[], bytes: string): readonly PossibleText[] {
  const isOfHosts = Array.from(bytes).some((byte) => mayHold('host', byte));
  const rest = (value: string): string =>
    Array.from(value)
      .filter((byte) => !bytes.includes(byte))
      .join('');
  return mapTexts(texts, rest).map((one) => ({
    ...one,
    pieces: one.pieces.map((piece) =>
      isOfHosts && (piece.kind === 'part' ? piece.isBeforeZone === true : piece.kind !== 'text')
        ? part('remove_bytes', 'host')
        : piece,
    ),
  }));
}

/** Returns what a substring can be: exact as long as it ends in the text at the beginning, or goes on from there. */
function cut(
  { pieces, isOfPlainHttp }: PossibleText,
  start: number,
  end: Argument | undefined,
): PossibleText {
  const [first] = joinTexts(pieces);
  const known = first?.kind === 'text' ? first.text : '';
  const last = end === undefined ? undefined : end.kind === 'int' ? Number(end.value) : -1;
  const rest = part('substring');
  if (start < 0 || start > known.length || (last !== undefined && last < 0)) {
    return { pieces: [rest], isOfPlainHttp };
  }
  if (last !== undefined && last <= known.length) {
    return { pieces: [text(known.slice(start, last))], isOfPlainHttp };
  }
  return last === undefined && first?.kind === 'text'
    ? { pieces: [text(known.slice(start)), ...joinTexts(pieces).slice(1)], isOfPlainHttp }
    : { pieces: [text(known.slice(start)), rest], isOfPlainHttp };
}

interface Replacing {
  readonly steps: readonly MatchStep[];
  readonly replacement: string;
  readonly zone: string | undefined;
  /** Whether the pattern matches every text of the rule's requests; any other text stays as it is. */
  readonly isMatched: boolean;
}

function withReplacements(
  sources: readonly PossibleText[],
  { steps, replacement, zone, isMatched }: Replacing,
): readonly PossibleText[] | undefined {
  const texts: PossibleText[] = [];
  for (const source of sources) {
    const results = replaced(source.pieces, steps, { replacement, zone });
    if (results === undefined) {
      return undefined;
    }
    texts.push(...results.map((pieces) => ({ pieces, isOfPlainHttp: source.isOfPlainHttp })));
  }
  return [...texts, ...(isMatched ? [] : sources)];
}
