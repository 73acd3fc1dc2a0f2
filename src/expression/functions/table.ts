import { lowerAscii, upperAscii } from '../values/bytes.ts';
import {
  decodeBase64,
  encodeBase64,
  hashInRange,
  sha256,
  uuidv4,
  isTimedHmacValid,
  bitSlice,
  cidr,
  cidr6,
  isJwtPresent,
  isJwtValid,
} from './hash-functions.ts';
import {
  concat,
  coalesce,
  hasKey,
  hasValue,
  join,
  len,
  split,
  lookupJsonInteger,
  lookupJsonString,
} from './array-functions.ts';
import type { FunctionBuilder } from './function.ts';
import { ofBytes, ofTwoBytes } from './function.ts';
import {
  regexReplace,
  wildcardReplace,
  removeBytes,
  removeQueryArgs,
  substring,
  toText,
  urlDecode,
} from './text-functions.ts';

/**
 * The functions of the rules language by name (functions.json), without `any` and `all`, which are quantifiers. Unless stated otherwise, a
 * missing argument makes the result missing.
 */
export const FUNCTIONS: ReadonlyMap<string, FunctionBuilder> = new Map([
  ['bit_slice', bitSlice],
  ['cidr', cidr],
  ['cidr6', cidr6],
  ['coalesce', coalesce],
  ['concat', concat],
  ['decode_base64', decodeBase64],
  ['encode_base64', encodeBase64],
  ['ends_with', ofTwoBytes((bytes, suffix) => bytes.endsWith(suffix))],
  ['has_key', hasKey],
  ['has_value', hasValue],
  ['hash_in_range', hashInRange],
  ['is_jwt_present', isJwtPresent],
  ['is_jwt_valid', isJwtValid],
  ['is_timed_hmac_valid_v0', isTimedHmacValid],
  ['join', join],
  ['len', len],
  ['lookup_json_integer', lookupJsonInteger],
  ['lookup_json_string', lookupJsonString],
  ['lower', ofBytes(lowerAscii)],
  ['regex_replace', regexReplace],
  ['remove_bytes', removeBytes],
  ['remove_query_args', removeQueryArgs],
  ['sha256', sha256],
  ['split', split],
  ['starts_with', ofTwoBytes((bytes, prefix) => bytes.startsWith(prefix))],
  ['substring', substring],
  ['to_string', toText],
  ['upper', ofBytes(upperAscii)],
  ['url_decode', urlDecode],
  ['uuidv4', uuidv4],
  ['wildcard_replace', wildcardReplace],
]);
