import { createHash } from 'node:crypto';
import { changesAnything, RulewrightError, DRIFT_SEVERITIES } from '../../model/index.ts';
import {
  commentParts,
  footer,
  issueTitle,
  messageOf,
  titleOf,
  markerText,
  markNotified,
  settleIssue,
  sendWebhook,
  webhookBody,
} from '../../forge/index.ts';
import type { Marker, ForgeRun, IssueChange, WantedIssue, WebhookShape } from '../../forge/index.ts';
import type { Drift, EndingRule } from '../../model/index.ts';
import { proxyFor } from '../../network/index.ts';
import { actorNames, driftSummary, countFailed, endsSummary, lacksShards } from '../../report/index.ts';
import { driftOf } from '../planning/drift-of.ts';
import { repositoryFolder } from '../project/repository-folder.ts';
import type { Selection } from '../project/selection.ts';
import { linksOf, readForgeRun } from './forge-run.ts';
import type { ForgeContext } from './open-forge.ts';
import { openForge } from './open-forge.ts';
import { webhookUrl } from './notify-run.ts';
import type { ResultReport } from './result-document.ts';
import { readReport } from './result-document.ts';
import { renderReport } from './render-report.ts';

/** The drift report to post as an issue, and the webhook to notify. */
export interface PostDriftOptions extends ForgeContext {
  readonly forge: ForgeRun['kind'];
  readonly file: string;
  readonly selection: Selection;
  readonly name?: string | undefined;
  /** The label by which issues are found. */
  readonly label: string;
  /** Payload format of the webhook; absent: no webhook is notified. */
  readonly webhook?: WebhookShape | undefined;
}

/** What was done with a drift report. */
export interface PostedDrift {
  readonly kind: 'drift-issue';
  readonly change: IssueChange;
  readonly finding: WantedIssue['finding'];
  readonly issue: string | null;
  readonly webhook: 'sent' | 'not-sent';
}

/** Updates the one drift issue of a project, and notifies a webhook of a state that it has not been told yet. */
export async function postDrift(options: PostDriftOptions): Promise<PostedDrift> {
  const { clock } = options;
  const url = options.webhook === undefined ? null : webhookUrl(options.env);
  const run = await readForgeRun(options.forge, options.env);
  const folder = await repositoryFolder(options.selection);
  const name = options.name ?? folder;
  const report = await readReport(options.file);
  if (report.kind !== 'drift') {
    throw new RulewrightError(`${options.file} is not a drift report`, {
      code: 'report/invalid',
      fault: 'user',
      hint: 'make it with rulewright drift --format json --output FILE',
    });
  }
  const drift = driftOf(report.plan, { ...report, now: clock.now() });
  const forge = await openForge(run, options);
  const wanted = wantedIssue({ run, name, report, drift, limit: forge.limit, folder, at: clock.now() });
  const issues = forge.issues(options.label);
  const { change, webUrl, unreported } = await settleIssue(issues, wanted, clock);
  const tell = url !== null && options.webhook !== undefined && unreported !== null;
  if (tell) {
    const news = {
      change: unreported.change,
      name: name === '' ? run.repository : name,
      summary: summaryOf(drift),
      severity:
        DRIFT_SEVERITIES.find((one) => drift.changes.some(({ severity }) => severity === one)) ?? null,
      everyRequest: drift.changes.some((one) => one.everyRequest !== undefined),
      unprotected: drift.changes.some((one) => one.unprotected !== undefined),
      actors: change === 'closed' ? [] : actorNames(drift),
      issueUrl: webUrl,
      runUrl: run.runUrl,
    };
    const proxy = proxyFor(url, options.env);
    await sendWebhook(url, webhookBody(news, options.webhook), { clock, proxy });
    await markNotified(issues, unreported, wanted);
  }
  return {
    kind: 'drift-issue',
    change,
    finding: wanted.finding,
    issue: webUrl,
    webhook: tell ? 'sent' : 'not-sent',
  };
}

interface DriftPosting {
  readonly run: ForgeRun;
  readonly name: string;
  readonly folder: string;
  readonly report: ResultReport;
  readonly drift: Drift;
  readonly limit: number;
  /** The time of posting, in milliseconds since 1970. */
  readonly at: number;
}

function wantedIssue({ run, name, folder, report, drift, limit, at }: DriftPosting): WantedIssue {
  const { plan } = drift;
  const ended = drift.ends.filter(({ kind }) => kind === 'ended');
  const differs = changesAnything(plan);
  const drifted = differs || ended.length > 0;
  const unsure =
    plan.scopes.length === 0 || countFailed(plan) > 0 || lacksShards(plan) || plan.shard !== undefined;
  const finding = drifted ? 'drifted' : unsure ? 'unknown' : 'clean';
  const rendered = renderReport(report, linksOf(run, folder), { now: at });
  const marker: Marker = {
    subject: 'drift',
    name,
    sha: run.sha,
    run: run.run,
    at,
    state: drifted ? `${plan.digest}${stateOf(ended)}` : '',
  };
  const said = differs
    ? '**Live has drifted again.**'
    : drifted
      ? '**Rules of the files have ended.**'
      : '**Drift is gone: live equals the files again.**';
  return {
    marker,
    finding,
    title: issueTitle(
      differs || !drifted ? 'Drift: live differs from the files' : 'Drift: rules of the files have ended',
      name,
    ),
    bodies: commentParts(messageOf(rendered, run, { marker, headSha: null }), limit),
    news: [
      markerText({ ...marker, subject: 'news' }),
      `${titleOf(said, name)} ${summaryOf(drift)}`,
      '',
      footer(rendered.digest, run, run.sha),
    ].join('\n'),
  };
}

/** Returns what tells this set of ended rules from another; "" for none. */
function stateOf(ended: readonly EndingRule[]): string {
  const facts = ended.map(({ place, rule, until }) => [place.replace(/:.*/u, ''), rule, until]);
  return ended.length === 0
    ? ''
    : `+${createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16)}`;
}

function summaryOf({ plan, ends }: Drift): string {
  return `${driftSummary(plan)}${ends.length === 0 ? '' : ` ${endsSummary(ends)}`}`;
}
