import { RulewrightError } from '../model/error.ts';
import type { DriftSeverity } from '../model/drift.ts';
import type { ForgeClock } from './port.ts';
import type { IssueChange } from './settle-issue.ts';

/** What is told to a webhook when the state of drift changes. */
export interface DriftNews {
  readonly change: Exclude<IssueChange, 'none' | 'superseded'>;
  /** The project. */
  readonly name: string;
  readonly summary: string;
  readonly severity: DriftSeverity | null;
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
function slackText({ change, name, summary, severity, issueUrl, runUrl }: DriftNews): string {
  const links = [
    ...(issueUrl === null ? [] : [`<${slackSafe(issueUrl)}|issue>`]),
    ...(runUrl === null ? [] : [`<${slackSafe(runUrl)}|run>`]),
  ];
  return [
    `*${VERBS[change]}* in ${slackSafe(name)}${severity === 'weakening' && change !== 'closed' ? ': protection may be weaker' : ''}`,
    slackSafe(summary),
    ...(links.length === 0 ? [] : [links.join(' · ')]),
  ].join('\n');
}

function slackSafe(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const TIMEOUT_MS = 15_000;
const MOST_ATTEMPTS = 4;

/**
 * Sends the news, again where there was no answer, 429 or 5xx: told twice is better than not at all. The address is a
 * secret: it appears in no error. Throws `webhook/failed`.
 */
export async function sendWebhook(url: string, body: string, clock: ForgeClock): Promise<void> {
  let status = await post(url, body);
  for (let attempt = 1; attempt < MOST_ATTEMPTS && isPassing(status); attempt += 1) {
    await clock.sleep(1000 * 2 ** attempt);
    status = await post(url, body);
  }
  if (status === null || status < 200 || status > 299) {
    throw new RulewrightError(`The webhook did not accept the message: ${status ?? 'no answer'}.`, {
      code: 'webhook/failed',
      fault: 'remote',
      hint: 'Check the address in RULEWRIGHT_WEBHOOK_URL; the issue is up to date, and the next run tries again.',
    });
  }
}

function isPassing(status: number | null): boolean {
  return status === null || status === 429 || status >= 500;
}

/** The status of the answer; null where none came. */
async function post(url: string, body: string): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'rulewright' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Nothing of the answer is wanted, and an unread body would hold its connection.
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
