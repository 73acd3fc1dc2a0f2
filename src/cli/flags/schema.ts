import type { FlagsOf } from '../flag.ts';
import { switchFlag } from '../flag.ts';
import { OUTPUT_FLAGS, RESULT_FLAGS } from '../flags.ts';

/** Flags of `schema`. */
export const SCHEMA_FLAGS = {
  output: RESULT_FLAGS.output,
  editors: switchFlag('Write the schemas for editors into the project'),
  ...OUTPUT_FLAGS,
};

/** The values of `SCHEMA_FLAGS`. */
export type SchemaFlags = FlagsOf<typeof SCHEMA_FLAGS>;
