import { resolve } from 'node:path';
import type { PostedDrift } from '../../../app/index.ts';
import { postDrift } from '../../../app/index.ts';
import { escapeText } from '../../../report/index.ts';
import type { ForgeKind } from '../../../forge/index.ts';
import type { CommandRun } from '../../command.ts';
import { EXIT } from '../../exit-code.ts';
import { writeResult } from '../../result.ts';
import { selectionOf } from '../../service-choice.ts';
import type { DriftIssueFlags } from '../../flags/forge.ts';
import { forgeContext, whilePosting } from './forge-context.ts';

/** Brings the drift issue of a project up to date. */
export function runDriftIssue(forge: ForgeKind): CommandRun<DriftIssueFlags, [string]> {
  return async (context, flags, file) => {
    const posted = await whilePosting(context, () =>
      postDrift({
        ...forgeContext(context, flags),
        forge,
        file: resolve(context.cwd, file),
        selection: selectionOf(context, flags, []),
        name: flags.name,
        label: flags.label,
        webhook: flags.webhook,
      }),
    );
    await writeResult(context, flags, {
      text: () => `${postedText(posted)}\n`,
      json: () => ({ formatVersion: 1, ...posted }),
    });
    return EXIT.done;
  };
}

const CHANGES: Readonly<Record<Exclude<PostedDrift['change'], 'none'>, string>> = {
  opened: 'Opened the drift issue',
  changed: 'The drift has changed; updated the issue',
  closed: 'Drift is gone; closed the issue',
  reopened: 'Drift again; opened the issue again',
  superseded: 'The issue shows a later result; it stays',
};

const NOTHING: Readonly<Record<PostedDrift['finding'], string>> = {
  drifted: 'The same drift as before',
  clean: 'No drift',
  unknown: 'No drift in what could be read; something could not be read, so the issue stays open',
};

function postedText({ change, finding, issue, webhook }: PostedDrift): string {
  const told = change === 'none' ? NOTHING[finding] : CHANGES[change];
  return `${told}${issue === null ? '' : `: ${escapeText(issue)}`}.${webhook === 'sent' ? ' Notified the webhook.' : ''}`;
}
