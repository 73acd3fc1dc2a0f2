import type { ConcurrentWrite, VersionSpan, RulesetTarget, Scope } from '../../model/index.ts';
import { IN_DOUBT_HINT } from './write-failure.ts';
import type { History } from './concurrent-edits.ts';
import { versionCommand } from './command-on-version.ts';

/** A ruleset that somebody else wrote to beside this run. */
export interface Disputed {
  readonly scope: Scope;
  readonly target: RulesetTarget;
  readonly history: History;
}

/** Describes who wrote what beside our write, and what our write undid of it, as far as it is known. */
export function conflictText({ ours, others, unread }: History): string {
  const lost = others.flatMap((other) => other.lost);
  const atRisk = others.flatMap((other) => other.atRisk ?? []);
  const mine = ours === null ? '' : ` while this step wrote version ${ours.version}`;
  return [
    ...(others.length === 0 ? [] : [`somebody else wrote ${versionsText(others)}${mine}`]),
    ...(unread.length === 0
      ? []
      : [
          `${spansText(unread)} cannot be read: what somebody else wrote there${
            ours === null ? '' : ', and whether this write undid it,'
          } is not known`,
        ]),
    ...(lost.length === 0 ? [] : [`this write undid a part of it: ${refsText(lost)}`]),
    ...(atRisk.length === 0 ? [] : [`if it still lands, it undoes a part of that: ${refsText(atRisk)}`]),
    ...(lost.length + unread.length > 0 || ours === null ? [] : ['nothing of it was lost']),
  ].join('; ');
}

/** Returns how to go on after a conflict: about what was lost if there is any, else about what is not known. */
export function conflictHint({ scope, target, history: { ours, others, unread } }: Disputed): string {
  const lost = others.findLast((other) => other.lost.length > 0);
  const [gap] = unread;
  if (lost !== undefined) {
    const command = versionCommand('rollback', {
      scope,
      target,
      option: `--to ${lost.version} --whole-ruleset`,
    });
    return `to bring back what was lost: ${command}; or put it into the files and plan again`;
  }
  if (gap !== undefined) {
    const command = versionCommand('versions', { scope, target, option: `--show ${gap.from}` });
    return `${command} shows it if it is still kept; compare it with live, then plan again`;
  }
  return ours === null ? IN_DOUBT_HINT : PLAN_AGAIN;
}

export const REPLAN_HINT = 'plan again to go on from what is live now';

/** Hint for a write of ours that is done and lost nothing of others. */
export const PLAN_AGAIN = `nothing more was written to this ruleset; ${REPLAN_HINT}`;

function versionsText(others: readonly ConcurrentWrite[]): string {
  return `${others.length === 1 ? 'version' : 'versions'} ${others.map(({ version }) => version).join(', ')}`;
}

function spansText(spans: readonly VersionSpan[]): string {
  const told = spans.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', ');
  return `${spans.length === 1 && told === spans[0]?.from ? 'version' : 'versions'} ${told}`;
}

function refsText(rules: readonly { readonly ref: string }[]): string {
  return rules.map(({ ref }) => ref).join(', ');
}
