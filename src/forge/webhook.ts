import type { DriftSeverity } from '../model/drift.ts';
import type { IssueChange } from './issue-step.ts';

/** The notification of a webhook about a change of the drift state. */
export interface DriftNews {
  readonly change: Exclude<IssueChange, 'none' | 'superseded'>;
  /** The project. */
  readonly name: string;
  readonly summary: string;
  readonly severity: DriftSeverity | null;
  /** Whether live ends every request by a rule, which the files do not. */
  readonly everyRequest: boolean;
  /** Whether live lets every request past protection by a rule, which the files do not. */
  readonly unprotected: boolean;
  readonly issueUrl: string | null;
  readonly runUrl: string | null;
}

/** Shapes of what is sent. */
export const WEBHOOK_SHAPES = ['json', 'slack'] as const;

/** One of the shapes. */
export type WebhookShape = (typeof WEBHOOK_SHAPES)[number];

/** The body of the request. */
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

/** Slack reads `<…>` as links and mentions; three characters have to be spelled for text to stay text. */
function slackText(news: DriftNews): string {
  const { change, name, summary, severity, everyRequest, unprotected, issueUrl, runUrl } = news;
  const grave = [
    ...(everyRequest ? ['a rule may end every request'] : []),
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
