import { appendFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { RenderedReport } from '../../forge/message.ts';
import { titleOf } from '../../forge/message.ts';
import type { Environment } from '../../model/environment.ts';
import { blocksText } from '../../report/markdown/block.ts';
import { fitBlocks } from '../../report/markdown/fit-blocks.ts';
import { bytes } from '../../report/markdown/split-blocks.ts';
import { sourceLinks } from './forge-run.ts';
import { repositoryFolder } from '../project/repository-folder.ts';
import { readReport } from './result-document.ts';
import type { Selection } from '../project/selection.ts';
import { renderReport } from './render-report.ts';

/** Bytes of a step's summary; GitHub shows none at all of a longer one. */
const LIMIT = 1024 * 1024;
/** Room for the title and the last line. */
const RESERVED = 2048;

/** Which result to show in the summary of the step. */
export interface SummaryOptions {
  readonly env: Environment;
  readonly file: string;
  readonly selection: Selection;
  readonly name?: string | undefined;
}

/** Shows a result of another command in the summary of the step; false where the run has none. */
export async function summarise({ env, file, selection, name }: SummaryOptions): Promise<boolean> {
  const folder = await repositoryFolder(selection);
  const rendered = renderReport(await readReport(file), await sourceLinks(env, selection));
  return appendStepSummary(rendered, name ?? folder, env);
}

/** Appends a result to the summary of the step; false where the run has none. What does not fit is named, not shown. */
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

/** A result within so many bytes. */
export function summaryText({ title, blocks }: RenderedReport, name: string, room: number): string {
  const limit = Math.max(room - RESERVED, 0);
  const { parts, rest } = fitBlocks(blocks, { limit, most: 1, measure: bytes });
  const text = blocksText([
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
