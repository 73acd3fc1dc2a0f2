import { wholeText } from '../report/index.ts';
import type { Document } from '../report/index.ts';
import type { CliContext } from './context.ts';
import type { OutputFlags } from './flags.ts';
import { stderrLook } from './result.ts';

/** Writes a document for people to stderr. */
export function tellDocument(context: CliContext, flags: OutputFlags, document: Document): void {
  context.stderr.write(wholeText(document, stderrLook(context, flags)));
}
