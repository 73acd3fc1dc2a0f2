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
import type { SchemaFlags } from '../flags/schema.ts';

/** Prints the names of the schemas, or one schema. */
export async function runSchema(context: CliContext, flags: SchemaFlags, name?: string): Promise<ExitCode> {
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
