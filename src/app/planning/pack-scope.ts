import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { PlannedScope } from '../../model/plan.ts';

/** Where the JSON of a packed plan is found: bytes of its block. */
interface Packed {
  readonly block: Block;
  readonly start: number;
  readonly end: number;
}

/** The JSON of some plans, one behind the other: null while it is filled, then compressed, outside of the heap. */
interface Block {
  content: Buffer | null;
}

const packed = new WeakMap<object, Packed>();

/** Up to this length a plan costs less than what would stand for it. */
const SMALL = 1024;

/**
 * Plans are compressed together, since zones are alike, and many at once: each start of the compressor takes 600 KB from
 * the system, whose fresh pages cost a block of a quarter of this length more than its compression.
 */
const BLOCK_LENGTH = 262_144;

/** The block that is filled. Texts that waited for each other would outlive young collections, so their bytes stand in one buffer. */
let open: { readonly block: Block; readonly bytes: Buffer; length: number } | null = null;

/** What was unpacked last: who reads a scope asks for its steps again and again, and then for its neighbour's. */
let lastBlock: { readonly block: Block; readonly bytes: Buffer } | null = null;
let last: { readonly plan: object; readonly whole: PlannedScope } | null = null;

/**
 * The plan of a scope, looking as it did, with its bases and steps packed: each read makes them anew. So a run
 * of many scopes holds a tenth of them in memory. What is known by its identity does not outlive a read: where
 * rules or steps are keys, take a copy. `json` is its JSON.
 */
export function packScope(plan: PlannedScope, json: string): PlannedScope {
  if (json.length <= SMALL) {
    return plan;
  }
  const { bases, steps } = PARTS;
  // Made in one go: an object whose members become accessors later takes eight times the memory.
  const light: PlannedScope = Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(plan),
    ...(plan.steps.length === 0 ? { bases } : { bases, steps }),
  });
  packed.set(light, add(json));
  return light;
}

/** The same functions for all, so that all plans have one shape. */
const PARTS = {
  bases: {
    enumerable: true,
    get(this: object): PlannedScope['bases'] {
      return unpack(this).bases;
    },
  },
  steps: {
    enumerable: true,
    get(this: object): PlannedScope['steps'] {
      return unpack(this).steps;
    },
  },
} as const;

function add(json: string): Packed {
  const length = Buffer.byteLength(json);
  if (length > BLOCK_LENGTH) {
    return { block: { content: compressed(Buffer.from(json)) }, start: 0, end: length };
  }
  if (open !== null && open.length + length > BLOCK_LENGTH) {
    open.block.content = compressed(open.bytes.subarray(0, open.length));
    open = { block: { content: null }, bytes: open.bytes, length: 0 };
  }
  open ??= { block: { content: null }, bytes: Buffer.allocUnsafeSlow(BLOCK_LENGTH), length: 0 };
  const start = open.length;
  open.length += open.bytes.write(json, start);
  return { block: open.block, start, end: open.length };
}

/** At this quality it takes a third of the time of the fastest deflate, which finds repeats in ids that have none, and packs as well. */
const FAST = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

function compressed(bytes: Buffer): Buffer {
  const short = brotliCompressSync(bytes, FAST);
  // What the compressor returns, and what Node takes from its pool, stand in larger buffers, which would stay with it.
  const own = Buffer.allocUnsafeSlow(short.length);
  short.copy(own);
  return own;
}

function unpack(plan: object): PlannedScope {
  if (last?.plan !== plan) {
    const place = packed.get(plan);
    const whole: PlannedScope = JSON.parse(place === undefined ? '' : textAt(place));
    last = { plan, whole };
  }
  return last.whole;
}

function textAt({ block, start, end }: Packed): string {
  if (block.content === null) {
    // Only the open block has no content yet.
    return open?.bytes.toString('utf8', start, end) ?? '';
  }
  if (lastBlock?.block !== block) {
    lastBlock = { block, bytes: brotliDecompressSync(block.content) };
  }
  return lastBlock.bytes.toString('utf8', start, end);
}
