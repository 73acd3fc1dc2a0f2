import { checkOutput, removeOutput, writeOutput } from '../app/index.ts';
import { jsonPieces, isPieces } from '../report/index.ts';
import type { Pieces, Detail, Look, Document, SourceLinks } from '../report/index.ts';
import { linesOn, wantsColour } from './colour.ts';
import type { CliContext, OutputStream } from './context.ts';
import type { BasicFormat, DocumentFormat, Format } from './formats.ts';
import type { AnyFlags, OutputFlags, ProjectFlags, FormatFlags } from './flags.ts';

/** A result for people: a document, from which their formats are printed. */
interface PeopleResult {
  readonly document: (detail: Detail) => Document | Promise<Document>;
  /** What a terminal shows in place of the document, such as YAML. */
  readonly text?: (look: Look) => Pieces | Promise<Pieces>;
  /** Returns links to the files on a forge. */
  readonly links?: () => Promise<SourceLinks>;
}

/**
 * A result in all of its formats, of which only those that are wanted are made. JSON is a value; the others are texts, in pieces if they are long. A
 * format with much code loads the code only then.
 */
export type Result<F extends Format = BasicFormat> = PeopleResult & {
  readonly [Word in Exclude<F, DocumentFormat>]: () => Word extends 'json'
    ? unknown
    : Pieces | Promise<Pieces>;
};

/** How text on stdout looks, or in the file that `--output` names in its place. */
export function stdoutLook(context: CliContext, flags: AnyFlags): Look {
  return flags.output === undefined ? lookOn(context.stdout, context, flags) : fileLook(context, flags);
}

/** How text on stderr looks. */
export function stderrLook(context: CliContext, flags: OutputFlags): Look {
  return lookOn(context.stderr, context, flags);
}

function lookOn(stream: OutputStream, context: CliContext, flags: OutputFlags): Look {
  return {
    ...linesOn(stream, context),
    colour: wantsColour(stream, context, flags),
    detail: detailOf(flags),
    way: context.way,
  };
}

/** How text in a file looks, whatever terminal the command runs in. */
function fileLook(context: CliContext, flags: OutputFlags): Look {
  return { ...linesOn({ columns: null }, context), colour: false, detail: detailOf(flags) };
}

/** Flags of a command with a result. */
type FlagsOfResult<F extends Format = Format> = FormatFlags<F> & Pick<ProjectFlags, 'config'>;

/**
 * Removes the reports of an earlier run, and throws when the result cannot be written where `--output` and `--report` say. Called before work that
 * cannot be taken back.
 */
export async function prepareResultFiles({ cwd }: CliContext, flags: AnyFlags): Promise<void> {
  const { output, report = [], config } = flags;
  if (output !== undefined) {
    await checkOutput({ cwd, path: output, config });
  }
  for (const { path } of report) {
    await removeOutput({ cwd, path, config });
  }
}

/** Writes the result to stdout or the file that `--output` names, and in other formats where `--report` says. */
export async function writeResult<F extends Format>(
  context: CliContext,
  flags: FlagsOfResult<F>,
  result: Result<F>,
): Promise<void> {
  const { format, output, report = [] } = flags;
  const look = fileLook(context, flags);
  context.hearSummary?.(await summaryOf(result, look));
  try {
    // Reports go first: a command that only prints ends when stdout is lost, and its reports do not go there.
    for (const extra of report) {
      await writeFile(context, flags, extra.path, await piecesOf(result, extra.format, look));
    }
  } finally {
    const text = await piecesOf(result, format, stdoutLook(context, flags));
    await (output === undefined ? context.stdout.writeAll(text) : writeFile(context, flags, output, text));
  }
}

/**
 * Writes a JSON value in place of the result when a command ends early, only where JSON is wanted: people read stderr. Removes any earlier result
 * from the file for the result.
 */
export async function writeJson(context: CliContext, flags: AnyFlags, value: unknown): Promise<void> {
  const { format, output, report = [] } = flags;
  for (const { path } of report.filter((extra) => extra.format === 'json')) {
    await writeFile(context, flags, path, jsonPieces(value));
  }
  if (format !== 'json') {
    await removeResult(context, flags);
  } else if (output === undefined) {
    await context.stdout.writeAll(jsonPieces(value));
  } else {
    await writeFile(context, flags, output, jsonPieces(value));
  }
}

/** Removes the result of an earlier run when this run has none, so that it is not taken for the result of this one. */
export async function removeResult({ cwd }: CliContext, { output, config }: AnyFlags): Promise<void> {
  if (output !== undefined) {
    await removeOutput({ cwd, path: output, config });
  }
}

async function piecesOf<F extends Format>(result: Result<F>, format: F, look: Look): Promise<Pieces> {
  switch (format) {
    case 'text': {
      if (result.text !== undefined) {
        return result.text(look);
      }
      const { printText } = await import('../report/index.ts');
      return printText(await documentOf(result, look), look);
    }
    case 'markdown': {
      const { printMarkdown } = await import('../report/index.ts');
      return printMarkdown(await documentOf(result, look), (await result.links?.()) ?? null);
    }
    case 'html':
      return (await import('../report/index.ts')).printHtml(await documentOf(result, look));
    default:
      return machinePieces(result, format);
  }
}

/** Returns the last lines of a result as plain text. */
async function summaryOf(result: PeopleResult, look: Look): Promise<string> {
  const { printText } = await import('../report/index.ts');
  const whole = await documentOf(result, look);
  return [...printText({ ...whole, body: [] }, look)].join('').trim();
}

async function documentOf({ document }: PeopleResult, look: Look): Promise<Document> {
  return document(look.detail ?? 'summed-up');
}

async function machinePieces<F extends Format>(result: Result<F>, format: F): Promise<Pieces> {
  const made: unknown = new Map<string, unknown>(Object.entries(result)).get(format);
  if (typeof made !== 'function') {
    throw new TypeError(`nothing makes the format ${format} of this result`);
  }
  const value: unknown = await Promise.resolve(made());
  return format !== 'json' && isPieces(value) ? value : jsonPieces(value);
}

async function writeFile(
  context: CliContext,
  flags: Pick<AnyFlags, 'config' | 'quiet'>,
  path: string,
  text: Pieces,
): Promise<void> {
  await writeOutput({ cwd: context.cwd, path, config: flags.config }, text);
  tell(context, flags, `wrote ${path}`);
}

/** Returns how much of a result is shown. */
export function detailOf({ verbose }: OutputFlags): Detail {
  return verbose === true ? 'each' : 'summed-up';
}

/** Writes a line for people to stderr, unless `--quiet` is given. */
export function tell(context: CliContext, flags: OutputFlags, text: string): void {
  if (flags.quiet !== true) {
    context.stderr.write(`${text}\n`);
  }
}
