import type { IpLiteral, IpRangeItem } from '../language/ast.ts';
import { parseIpSetItem } from '../values/ip-set-item.ts';
import { INVALID_ADDRESS, parseIpAddress } from '../values/ip.ts';
import { ADDRESS_CHARACTERS, runEnd } from './characters.ts';
import { expectedName, fail, spanFrom } from './reader.ts';
import type { Reader } from './reader.ts';

/** Reads one address: the longest run of address characters, in strict form (1.3). */
export function readAddress(reader: Reader): IpLiteral | undefined {
  const start = reader.position;
  const text = readRun(reader);
  if (text === undefined) {
    return undefined;
  }
  const value = parseIpAddress(text);
  if (value === undefined) {
    return fail(reader, { kind: 'ParseNetwork', message: INVALID_ADDRESS, start, end: reader.position });
  }
  return { kind: 'ip', value, text, span: spanFrom(reader, start) };
}

/** Reads an item of a set of addresses: an address, a network, a range. */
export function readAddressRange(reader: Reader): IpRangeItem | undefined {
  const start = reader.position;
  const text = readRun(reader);
  if (text === undefined) {
    return undefined;
  }
  const result = parseIpSetItem(text);
  if (!result.ok) {
    const { kind, message } = result.error;
    return fail(reader, { kind, message, start: start + result.error.start, end: start + result.error.end });
  }
  return { kind: 'ip-range', range: result.range, text, span: spanFrom(reader, start) };
}

function readRun(reader: Reader): string | undefined {
  const start = reader.position;
  const end = runEnd(ADDRESS_CHARACTERS, reader.bytes, start);
  if (end === start) {
    return expectedName(reader, 'IP address character');
  }
  reader.position = end;
  return reader.bytes.slice(start, end);
}
