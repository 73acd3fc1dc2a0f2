import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PlannedScope } from '../../model/plan.ts';

/** Where the JSON of a packed plan is found. */
interface Packed {
  readonly block: Block;
  readonly line: number;
}

/** The JSON of some plans, one a line: as text while it is filled, then compressed, outside of the heap. */
interface Block {
  content: readonly string[] | Buffer;
}

const packed = new WeakMap<object, Packed>();

/** Up to this length a plan costs less than what would stand for it. */
const SMALL = 1024;

/** Plans are compressed together: to set up the compressor takes longer than to compress one, and zones are alike. */
const BLOCK_LENGTH = 65_536;

/** The block that is filled. */
let open: { readonly block: Block; readonly lines: string[]; length: number } | null = null;

/** What was unpacked last: who reads a scope asks for its steps again and again, and then for its neighbour's. */
let lastLines: { readonly block: Block; readonly lines: readonly string[] } | null = null;
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
  packed.set(light, addLine(json));
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

function addLine(json: string): Packed {
  if (open === null) {
    const lines: string[] = [];
    open = { block: { content: lines }, lines, length: 0 };
  }
  const { block, lines } = open;
  lines.push(json);
  open.length += json.length;
  if (open.length >= BLOCK_LENGTH) {
    block.content = compressed(lines);
    open = null;
  }
  return { block, line: lines.length - 1 };
}

function compressed(lines: readonly string[]): Buffer {
  const deflated = deflateRawSync(lines.join('\n'), { level: 1 });
  // What the compressor returns, and what Node takes from its pool, stand in larger buffers, which would stay with it.
  const own = Buffer.allocUnsafeSlow(deflated.length);
  deflated.copy(own);
  return own;
}

function unpack(plan: object): PlannedScope {
  if (last?.plan !== plan) {
    const place = packed.get(plan);
    const whole: PlannedScope = JSON.parse(place === undefined ? '' : lineAt(place));
    last = { plan, whole };
  }
  return last.whole;
}

function lineAt({ block, line }: Packed): string {
  const { content } = block;
  if (!Buffer.isBuffer(content)) {
    return content[line] ?? '';
  }
  if (lastLines?.block !== block) {
    lastLines = { block, lines: inflateRawSync(content).toString().split('\n') };
  }
  return lastLines.lines[line] ?? '';
}
