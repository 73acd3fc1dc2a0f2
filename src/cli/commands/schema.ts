import { command } from '../command.ts';
import { nonEmpty } from '../flag.ts';
import { SCHEMA_FLAGS } from '../flags/schema.ts';

/** `rulewright schema`. */
export const schemaCommand = command({
  run: async () => (await import('../run/schema.ts')).runSchema,
  brief: 'Print the JSON Schema of a file or document',
  text: 'Prints the names of the JSON Schemas, or one of them.',
  examples: [
    ['rulewright schema', 'the names'],
    ['rulewright schema zone', 'the schema of zone files'],
    ['rulewright schema --editors', 'write those for editors'],
    ['rulewright schema zone --output zone.schema.json', 'into a file'],
  ],
  flags: SCHEMA_FLAGS,
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: nonEmpty,
        optional: true,
        proposeCompletions: proposeSchemas,
        placeholder: 'NAME',
        brief: 'The schema (default: list the names)',
      },
    ],
  },
});

/** Returns the names of schemas; none on any error, since nobody would read it. */
async function proposeSchemas(partial: string): Promise<readonly string[]> {
  try {
    const { listSchemas } = await import('../../app/index.ts');
    return (await listSchemas()).filter((name) => name.startsWith(partial));
  } catch {
    return [];
  }
}
