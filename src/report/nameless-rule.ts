import type { RuleChange } from '../model/change.ts';
import { descriptionOf } from '../model/change.ts';
import { isTelling } from '../model/described-name.ts';
import { isNamed } from '../model/rule.ts';

/** More of a description does not fit beside the name of a rule. */
const LONGEST = 140;

/** What a rule of which the `ref` tells nothing is called instead: its description. Empty for others. */
export function namelessText(change: RuleChange): string {
  const isKnown = isTelling(change.ref) && (change.kind === 'add' || isNamed(change));
  return isKnown ? '' : beginning(descriptionOf(change));
}

/** As much of a description as stands beside the name of a rule. */
export function beginning(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
