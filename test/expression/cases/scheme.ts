import type { Scheme } from '../../../src/expression/language/catalogue.ts';
import { schemeFrom } from '../corpus.ts';

/** The fields of the cases: one or two of each type, and `true` and `false`. */
export const CASE_SCHEME: Scheme = schemeFrom(
  {
    flag: 'Bool',
    other_flag: 'Bool',
    flags: 'Array<Bool>',
    mapb: 'Map<Bool>',
    num: 'Int',
    nums: 'Array<Int>',
    text: 'Bytes',
    texts: 'Array<Bytes>',
    deep: 'Array<Array<Bytes>>',
    map: 'Map<Bytes>',
    lists: 'Map<Array<Bytes>>',
    addr: 'Ip',
  },
  true,
);
