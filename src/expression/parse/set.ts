import type { SetLiteral } from '../language/ast.ts';
import type { Type } from '../values/type.ts';
import { readAddressRange } from './address.ts';
import { readIntegerRange } from './integer.ts';
import { at, readLiteral, skipSpace, spanFrom } from './reader.ts';
import type { Reader } from './reader.ts';
import { readBytes } from './text.ts';

/** Reads `{...}` with items of the left side's type; white space between items is optional (1.2). */
export function readSet(reader: Reader, type: Type): SetLiteral | undefined {
  const start = reader.position;
  if (!readLiteral(reader, '{')) {
    return undefined;
  }
  switch (type.kind) {
    case 'Int': {
      const items = readItems(reader, readIntegerRange);
      return items && { kind: 'set', of: 'Int', items, span: spanFrom(reader, start) };
    }
    case 'Ip': {
      const items = readItems(reader, readAddressRange);
      return items && { kind: 'set', of: 'Ip', items, span: spanFrom(reader, start) };
    }
    default: {
      const items = readItems(reader, readBytes);
      return items && { kind: 'set', of: 'Bytes', items, span: spanFrom(reader, start) };
    }
  }
}

function readItems<Item>(
  reader: Reader,
  readItem: (reader: Reader) => Item | undefined,
): readonly Item[] | undefined {
  const items: Item[] = [];
  for (;;) {
    skipSpace(reader);
    if (at(reader, '}')) {
      reader.position += 1;
      return items;
    }
    const item = readItem(reader);
    if (item === undefined) {
      return undefined;
    }
    items.push(item);
  }
}
