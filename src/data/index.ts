/**
 * JSON values and collections, for everybody: small things that know no rules.
 *
 * Promises: pure and total.
 * Never: knows a word of the field.
 */
export { assertNever } from './assert-never.ts';
export {
  createCameBefore,
  createLimitedMap,
  groupBy,
  memoise,
  memoiseWeakly,
  repeatsOf,
  sharing,
} from './collections.ts';
export {
  canonicalJson,
  inKeyOrder,
  isJsonArray,
  isJsonObject,
  isNestedDeeper,
  jsonEqual,
  listOf,
  mapTexts,
  mapTextsAndKeys,
  mapTextsIn,
  memberPointer,
  objectOf,
  objectsIn,
  omit,
  parsedJson,
  plainJson,
  pointerParts,
  textOf,
  textsIn,
} from './json.ts';
export type { JsonObject, JsonValue, KeyOrder } from './json.ts';
export { ADDRESS_BITS, formatIpAddress, INVALID_ADDRESS, parseIpAddress } from './ip-address.ts';
export type { IpAddress, IpRange } from './ip-address.ts';
