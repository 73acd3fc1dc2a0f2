import { failedCallouts, groupCallouts } from '../attention-callouts.ts';
import type { FoundGroup } from '../attention.ts';
import type { Line } from '../layout.ts';
import { textLines } from '../print-text.ts';
import type { FailedGroup } from '../summary.ts';
import type { Style } from '../tree.ts';
import { hintBlocks, messageBlocks } from '../tree.ts';

/** The width does not matter to sentences. */
const WIDTH = 80;

/** Returns lines about the findings of a group, under its title. */
export function findingLines(group: FoundGroup): readonly Line[] {
  return textLines(groupCallouts([group], { detail: 'each' }), { indent: 0, width: WIDTH });
}

/** Returns lines about why scopes failed. */
export function failedLines(group: FailedGroup): readonly Line[] {
  return textLines(failedCallouts([group], 'could not be read'), { indent: 0, width: WIDTH });
}

/** Returns the lines of a message; none when it is undefined. */
export function messageLines(indent: number, message: string | undefined, style?: Style): readonly Line[] {
  return textLines(messageBlocks(message, style), { indent, width: WIDTH });
}

/** Returns the lines of a hint, labelled as one; none when it is undefined. */
export function hintLines(indent: number, hint: string | undefined): readonly Line[] {
  return textLines(hintBlocks(hint), { indent, width: WIDTH });
}
