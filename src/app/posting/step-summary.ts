import { appendFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RenderedReport } from '../../forge/index.ts';
import { titleOf } from '../../forge/index.ts';
import type { Environment } from '../../model/index.ts';
import { bytes, fitPieces, piecesText } from '../../report/index.ts';
import { repositoryFolder } from '../project/repository-folder.ts';
import type { Selection } from '../project/selection.ts';
import { sourceLinks } from './forge-run.ts';
import { readReport } from './result-document.ts';
import { renderReport } from './render-report.ts';

/** Maximum size of a step summary in bytes; GitHub shows nothing of a larger one. */
const LIMIT = 1024 * 1024;
/** Bytes reserved for the title and the last line. */
const RESERVED = 2048;

/** The result to show in the step summary. */
export interface SummaryOptions {
  readonly env: Environment;
  readonly file: string;
  readonly selection: Selection;
  readonly name?: string | undefined;
}

/** Shows a result of another command in the step summary; false if the run has none. */
export async function summarise({ env, file, selection, name }: SummaryOptions): Promise<boolean> {
  const folder = await repositoryFolder(selection);
  const rendered = renderReport(await readReport(file), await sourceLinks(env, selection));
  return appendStepSummary(rendered, name ?? folder, env);
}

/** Appends a result to the step summary; false if the run has none. Blocks that do not fit are named, not shown. */
export async function appendStepSummary(
  rendered: RenderedReport,
  name: string,
  env: Environment,
): Promise<boolean> {
  const path = env['GITHUB_STEP_SUMMARY'];
  if (path === undefined || path === '') {
    return false;
  }
  await appendFile(path, summaryText(rendered, name, LIMIT - (await sizeOf(path))));
  return true;
}

/** Returns the text of a result in at most `room` bytes; empty if it cannot fit. */
export function summaryText({ title, blocks }: RenderedReport, name: string, room: number): string {
  const limit = Math.max(room - RESERVED, 0);
  const { parts, rest } = fitPieces(blocks, { limit, most: 1, measure: bytes });
  const text = piecesText([
    { kind: 'text', text: `### ${titleOf(title, name)}` },
    ...parts.flat(),
    ...(rest === null ? [] : [rest]),
  ]);
  return bytes(text) > room ? '' : `${text}\n\n`;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(resolve(path))).size;
  } catch {
    return 0;
  }
}
