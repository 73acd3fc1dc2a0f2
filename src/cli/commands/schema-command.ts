import { command } from '../command.ts';
import { nonEmpty, switchFlag } from '../flag.ts';
import {
  listSchemas,
  bundledSchema,
  writeEditorSchemas,
  projectFolder,
  writeOutput,
  usage,
} from '../../app/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { tell } from '../result.ts';
import { nearName } from '../../text/index.ts';
import type { FlagsOf } from '../flag.ts';
import { OUTPUT_FLAGS, RESULT_FLAGS } from '../flags.ts';

/** Flags of `schema`. */
const SCHEMA_FLAGS = {
  output: RESULT_FLAGS.output,
  editors: switchFlag('Write the schemas for editors into the project'),
  ...OUTPUT_FLAGS,
};

/** The values of `SCHEMA_FLAGS`. */
type SchemaFlags = FlagsOf<typeof SCHEMA_FLAGS>;

/** Prints the names of the schemas, or one schema. */
async function runSchema(context: CliContext, flags: SchemaFlags, name?: string): Promise<ExitCode> {
  if (flags.editors === true) {
    if (name !== undefined || flags.output !== undefined) {
      throw usage('--editors takes no name and no --output', 'it writes all schemas that the files name');
    }
    tell(context, flags, `wrote ${await writeEditorSchemas(await projectFolder({ cwd: context.cwd }))}`);
    return EXIT.done;
  }
  const text = name === undefined ? `${(await listSchemas()).join('\n')}\n` : await schemaText(name);
  if (flags.output === undefined) {
    context.stdout.write(text);
  } else {
    await writeOutput({ cwd: context.cwd, path: flags.output }, text);
    tell(context, flags, `wrote ${flags.output}`);
  }
  return EXIT.done;
}

async function schemaText(name: string): Promise<string> {
  const text = await bundledSchema(name);
  if (text === null) {
    const names = await listSchemas();
    const close = nearName(name, names);
    throw usage(
      `there is no schema ${name}`,
      close === undefined ? `there are ${names.join(', ')}` : `did you mean ${close}?`,
    );
  }
  return text;
}

/** `rulewright schema`. */
export const schemaCommand = command({
  run: runSchema,
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
