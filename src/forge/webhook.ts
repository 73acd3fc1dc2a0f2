import type { DriftSeverity } from '../model/drift.ts';
import type { IssueChange } from './issue-step.ts';

/** The notification of a webhook about a change of drift. */
export interface DriftNews {
  readonly change: Exclude<IssueChange, 'none' | 'superseded'>;
  /** The name of the project. */
  readonly name: string;
  readonly summary: string;
  readonly severity: DriftSeverity | null;
  /** Whether a live rule ends every request and the files have no such rule. */
  readonly everyRequest: boolean;
  /** Whether a live rule lets every request past protection and the files have no such rule. */
  readonly unprotected: boolean;
  readonly issueUrl: string | null;
  readonly runUrl: string | null;
}

/** The formats of a notification. */
export const WEBHOOK_SHAPES = ['json', 'slack'] as const;

export type WebhookShape = (typeof WEBHOOK_SHAPES)[number];

/** Returns the body of the webhook request. */
export function webhookBody(news: DriftNews, shape: WebhookShape): string {
  return JSON.stringify(
    shape === 'json' ? { kind: 'drift-news', formatVersion: 1, ...news } : { text: slackText(news) },
  );
}

const VERBS: Readonly<Record<DriftNews['change'], string>> = {
  opened: 'Drift',
  changed: 'Drift has changed',
  closed: 'Drift is gone',
  reopened: 'Drift again',
};

/** Returns the message for Slack. Slack reads `<…>` as links and mentions, so `&`, `<` and `>` are escaped in texts. */
function slackText(news: DriftNews): string {
  const { change, name, summary, severity, everyRequest, unprotected, issueUrl, runUrl } = news;
  const grave = [
    ...(everyRequest ? ['a rule may stop or redirect every request'] : []),
    ...(unprotected ? ['a rule may let every request past protection'] : []),
    ...(severity === 'weakening' ? ['protection may be weaker'] : []),
  ];
  const links = [
    ...(issueUrl === null ? [] : [`<${slackSafe(issueUrl)}|issue>`]),
    ...(runUrl === null ? [] : [`<${slackSafe(runUrl)}|run>`]),
  ];
  return [
    `*${VERBS[change]}* in ${slackSafe(name)}${grave.length === 0 || change === 'closed' ? '' : `: ${grave.join(', ')}`}`,
    slackSafe(summary),
    ...(links.length === 0 ? [] : [links.join(' · ')]),
  ].join('\n');
}

function slackSafe(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
