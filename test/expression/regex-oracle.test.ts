import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRegex, compileSearch, sampleOfPattern } from '../../src/expression/regex/compile-regex.ts';
import { propertyRuns } from '../property-runs.ts';

/** A small pattern of our own, written as text for the engine and matched by brute force here. */
type Node =
  | { readonly kind: 'byte'; readonly byte: string }
  | { readonly kind: 'any'; readonly lines: boolean }
  | { readonly kind: 'class'; readonly negated: boolean; readonly bytes: readonly string[] }
  | { readonly kind: 'look'; readonly text: string }
  | { readonly kind: 'fold'; readonly body: Node }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly parts: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly min: number;
      readonly max: number | undefined;
      readonly lazy: boolean;
    };

const ALPHABET = ['a', 'B', '_', '-', '\n', '\xe9'];

const LOOKS: Readonly<Record<string, (subject: string, at: number) => boolean>> = {
  '^': (_, at) => at === 0,
  $: (subject, at) => at === subject.length,
  '\\A': (_, at) => at === 0,
  '\\z': (subject, at) => at === subject.length,
  '(?m:^)': (subject, at) => at === 0 || subject[at - 1] === '\n',
  '(?m:$)': (subject, at) => at === subject.length || subject[at] === '\n',
  '\\b': (subject, at) => isWord(subject[at - 1]) !== isWord(subject[at]),
  '\\B': (subject, at) => isWord(subject[at - 1]) === isWord(subject[at]),
  '\\<': (subject, at) => !isWord(subject[at - 1]) && isWord(subject[at]),
  '\\>': (subject, at) => isWord(subject[at - 1]) && !isWord(subject[at]),
  '\\b{start-half}': (subject, at) => !isWord(subject[at - 1]),
  '\\b{end-half}': (subject, at) => !isWord(subject[at]),
};

function isWord(byte: string | undefined): boolean {
  return byte !== undefined && /^[0-9A-Za-z_]$/u.test(byte);
}

function escape(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function write(node: Node): string {
  switch (node.kind) {
    case 'byte':
      return /^[aB_]$/u.test(node.byte) ? node.byte : escape(node.byte);
    case 'any':
      return node.lines ? '(?s:.)' : '.';
    case 'class':
      return `[${node.negated ? '^' : ''}${node.bytes.map(escape).join('')}]`;
    case 'look':
      return node.text;
    case 'fold':
      return `(?i:${write(node.body)})`;
    case 'sequence':
      return node.parts.map((part) => (part.kind === 'choice' ? `(${write(part)})` : write(part))).join('');
    case 'choice':
      return `(?:${node.parts.map(write).join('|')})`;
    case 'repeat':
      return `(?:${write(node.body)})${count(node)}${node.lazy ? '?' : ''}`;
    default:
      return node satisfies never;
  }
}

function count({ min, max }: { readonly min: number; readonly max: number | undefined }): string {
  if (max === undefined) {
    return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  }
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`;
}

interface Place {
  readonly subject: string;
  readonly at: number;
  readonly fold: boolean;
}

/** The places where a match of a node from a given place can end, each once, in the order that the engine prefers. */
function ends(node: Node, place: Place): readonly number[] {
  const { subject, at, fold } = place;
  const byte = subject[at];
  const next = (fits: boolean): readonly number[] => (byte !== undefined && fits ? [at + 1] : []);
  const same = (one: string): boolean => one === byte || (fold && swapCase(one) === byte);
  switch (node.kind) {
    case 'byte':
      return next(same(node.byte));
    case 'any':
      return next(node.lines || byte !== '\n');
    case 'class':
      return next(node.bytes.some(same) !== node.negated);
    case 'look':
      return LOOKS[node.text]?.(subject, at) === true ? [at] : [];
    case 'fold':
      return ends(node.body, { ...place, fold: true });
    case 'sequence':
      return node.parts.reduce<readonly number[]>(
        (starts, part) => unique(starts.flatMap((start) => ends(part, { ...place, at: start }))),
        [at],
      );
    case 'choice':
      return unique(node.parts.flatMap((part) => ends(part, place)));
    case 'repeat':
      return repeatEnds(node, place);
    default:
      return node satisfies never;
  }
}

/** Tries another round first, or last if lazy; an optional round that matches nothing ends the repetition. */
function repeatEnds(node: Extract<Node, { readonly kind: 'repeat' }>, place: Place): readonly number[] {
  const known = new Map<string, readonly number[]>();
  const from = (at: number, rounds: number): readonly number[] => {
    const capped = Math.min(rounds, node.min + subjectLimit);
    const key = `${at} ${capped}`;
    const found = known.get(key);
    if (found !== undefined) {
      return found;
    }
    known.set(key, []);
    const more =
      node.max !== undefined && rounds >= node.max
        ? []
        : ends(node.body, { ...place, at }).flatMap((end) =>
            end === at && rounds >= node.min ? [end] : from(end, rounds + 1),
          );
    const stop = rounds >= node.min ? [at] : [];
    const all = unique(node.lazy ? [...stop, ...more] : [...more, ...stop]);
    known.set(key, all);
    return all;
  };
  return from(place.at, 0);
}

const subjectLimit = 12;

function unique(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)];
}

function swapCase(byte: string): string {
  return /^[a-z]$/u.test(byte) ? byte.toUpperCase() : /^[A-Z]$/u.test(byte) ? byte.toLowerCase() : byte;
}

/** The first match: the leftmost start with the end that is preferred there. */
function find(node: Node, subject: string): { readonly start: number; readonly end: number } | undefined {
  for (let start = 0; start <= subject.length; start += 1) {
    const [end] = ends(node, { subject, at: start, fold: false });
    if (end !== undefined) {
      return { start, end };
    }
  }
  return undefined;
}

const byte = fc.constantFrom(...ALPHABET);
const leaf: fc.Arbitrary<Node> = fc.oneof(
  { weight: 4, arbitrary: byte.map((one): Node => ({ kind: 'byte', byte: one })) },
  { weight: 1, arbitrary: fc.boolean().map((lines): Node => ({ kind: 'any', lines })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ negated: fc.boolean(), bytes: fc.array(byte, { minLength: 1, maxLength: 3 }) })
      .map((one): Node => ({ kind: 'class', ...one })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...Object.keys(LOOKS)).map((text): Node => ({ kind: 'look', text })),
  },
);

/** Random patterns; with `nullable` off, nothing that can match the empty text is repeated. */
function patterns({
  nullable,
  leaves = leaf,
}: {
  readonly nullable: boolean;
  readonly leaves?: fc.Arbitrary<Node>;
}): fc.Arbitrary<Node> {
  const { node } = fc.letrec<{ node: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaves,
      fc
        .array(tie('node'), { minLength: 1, maxLength: 3 })
        .map((parts): Node => ({ kind: 'sequence', parts })),
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((parts): Node => ({ kind: 'choice', parts })),
      tie('node').map((body): Node => ({ kind: 'fold', body })),
      fc
        .record({
          body: tie('node'),
          min: fc.integer({ min: 0, max: 2 }),
          extra: fc.option(fc.integer({ min: 0, max: 2 })),
          lazy: fc.boolean(),
        })
        .map(({ body, min, extra, lazy }): Node =>
          nullable || !canBeEmpty(body)
            ? { kind: 'repeat', body, min, max: extra === null ? undefined : min + extra, lazy }
            : body,
        ),
    ),
  }));
  return node;
}

function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'byte':
    case 'any':
    case 'class':
      return false;
    case 'look':
      return true;
    case 'fold':
      return canBeEmpty(node.body);
    case 'sequence':
      return node.parts.every(canBeEmpty);
    case 'choice':
      return node.parts.some(canBeEmpty);
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.body);
    default:
      return node satisfies never;
  }
}

/** Patterns with an anchor and a literal, as most in rules have: some of them are decided without running the engine. */
const tied: fc.Arbitrary<Node> = fc
  .tuple(
    fc.constantFrom('^', '\\A', '(?m:^)'),
    patterns({ nullable: true }),
    fc.array(byte, { maxLength: 4 }),
    patterns({ nullable: true }),
  )
  .map(([text, before, literal, after]): Node => ({
    kind: 'sequence',
    parts: [
      { kind: 'look', text },
      before,
      ...literal.map((one): Node => ({ kind: 'byte', byte: one })),
      after,
    ],
  }));

const subjects = fc.array(byte, { maxLength: 8 }).map((bytes) => bytes.join(''));

describe('regular expressions against brute force', () => {
  it('match the same subjects', () => {
    fc.assert(
      fc.property(
        fc.oneof(patterns({ nullable: true }), tied),
        fc.array(subjects, { minLength: 1, maxLength: 8 }),
        (node, texts) => {
          const compiled = compileRegex(write(node));
          expect(compiled).toMatchObject({ ok: true });
          for (const text of texts) {
            expect([text, compiled.ok && compiled.matches(text)]).toEqual([
              text,
              find(node, text) !== undefined,
            ]);
          }
        },
      ),
      { numRuns: propertyRuns() * 5 },
    );
  });

  it('find the same first match', () => {
    fc.assert(
      fc.property(
        patterns({ nullable: false }),
        fc.array(subjects, { minLength: 1, maxLength: 8 }),
        (node, texts) => {
          const search = compileSearch(write(node));
          expect(search).toMatchObject({ ok: true });
          for (const text of texts) {
            const found = search.ok ? search.find(text) : undefined;
            const place = found === undefined ? undefined : { start: found.start, end: found.end };
            expect([text, place]).toEqual([text, find(node, text)]);
          }
        },
      ),
      { numRuns: propertyRuns() * 5 },
    );
  });

  it('match their own sample', () => {
    fc.assert(
      fc.property(fc.oneof(patterns({ nullable: true }), tied), (node) => {
        const sample = sampleOfPattern(write(node));
        expect(sample === undefined || find(node, sample) !== undefined).toBe(true);
      }),
      { numRuns: propertyRuns() * 5 },
    );
  });

  it('have a sample if they assert nothing', () => {
    const leaves = leaf.filter(({ kind }) => kind !== 'look');
    fc.assert(
      fc.property(patterns({ nullable: true, leaves }), (node) => {
        expect(sampleOfPattern(write(node))).toBeTypeOf('string');
      }),
      { numRuns: propertyRuns() * 5 },
    );
  });
});
