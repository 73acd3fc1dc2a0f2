import type { WebhookShape } from './port.ts';
import { fetch } from 'undici';
import type { DriftSeverity } from '../model/index.ts';
import { RulewrightError } from '../model/index.ts';
import type { Proxy, Clock } from '../network/index.ts';
import { oneLine, someNames } from '../text/index.ts';
import type { IssueChange } from './settle-issue.ts';
import { through } from './requests.ts';

/** The notification of a webhook about a change of drift. */
export interface DriftNews {
  readonly change: Exclude<IssueChange, 'none' | 'superseded'>;
  /** The name of the project. */
  readonly name: string;
  readonly summary: string;
  readonly severity: DriftSeverity | null;
  /** Whether a live rule ends every request and the files have no such rule. */
  readonly everyRequest: boolean;
  /** Who made the differences, as far as is known: `CI (token)`. */
  readonly actors: readonly string[];
  /** Whether a live rule lets every request past protection and the files have no such rule. */
  readonly unprotected: boolean;
  readonly issueUrl: string | null;
  readonly runUrl: string | null;
}

/** The notification of a webhook about how a command ended. */
export interface RunNews {
  /** `drift`, `apply`. */
  readonly command: string;
  readonly exit: number;
  /** The last lines of the result; "" where there is none. */
  readonly summary: string;
  /** The run of the pipeline, where there is one. */
  readonly runUrl: string | null;
}

/** Returns the body of the webhook request about how a command ended. */
export function runNewsBody(news: RunNews, shape: WebhookShape): string {
  const { command, exit, summary, runUrl } = news;
  const link = runUrl === null ? [] : [`<${slackSafe(runUrl)}|run>`];
  const text = [
    `*rulewright ${slackSafe(command)}* ended with exit code ${exit}`,
    slackSafe(summary),
    ...link,
  ];
  return JSON.stringify(
    shape === 'json'
      ? { kind: 'run-news', formatVersion: 1, ...news }
      : { text: text.filter((line) => line !== '').join('\n') },
  );
}

/** Returns the body of the webhook request about drift. */
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
  const { change, name, summary, severity, everyRequest, unprotected, actors, issueUrl, runUrl } = news;
  const severe = [
    ...(everyRequest ? ['a rule may stop or redirect every request'] : []),
    ...(unprotected ? ['a rule may let every request past protection'] : []),
    ...(severity === 'weakening' ? ['protection may be weaker'] : []),
  ];
  const links = [
    ...(issueUrl === null ? [] : [`<${slackSafe(issueUrl)}|issue>`]),
    ...(runUrl === null ? [] : [`<${slackSafe(runUrl)}|run>`]),
  ];
  return [
    `*${VERBS[change]}* in ${slackSafe(name)}${severe.length === 0 || change === 'closed' ? '' : `: ${severe.join(', ')}`}`,
    slackSafe(summary),
    ...(actors.length === 0 ? [] : [`By ${slackSafe(someNames(actors.map(oneLine), MOST_ACTORS))}.`]),
    ...(links.length === 0 ? [] : [links.join(' · ')]),
  ].join('\n');
}

/** The most that a message names. */
const MOST_ACTORS = 5;

function slackSafe(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 4;

/**
 * Sends a notification, and repeats it after 429, 5xx or no answer: a duplicate is better than none. The address is a secret and appears in
 * no error. Throws `webhook/failed`.
 */
export async function sendWebhook(
  url: string,
  body: string,
  { clock, proxy }: { readonly clock: Clock; readonly proxy?: Proxy | undefined },
): Promise<void> {
  const way = through(proxy);
  let status = await post(url, body, way);
  for (let attempt = 1; attempt < MAX_ATTEMPTS && isPassing(status); attempt += 1) {
    await clock.sleep(1000 * 2 ** attempt);
    status = await post(url, body, way);
  }
  if (status === null || status < 200 || status > 299) {
    const isRedirect = status !== null && status >= 300 && status <= 399;
    const why = isRedirect ? `${status}, a redirect, which is not followed` : (status ?? 'no answer');
    throw new RulewrightError(`the webhook did not accept the message: ${why}`, {
      code: 'webhook/failed',
      fault: 'remote',
      hint: `${isRedirect ? 'put the address that it leads to into' : 'check the address in'} RULEWRIGHT_WEBHOOK_URL; the result is complete without it`,
    });
  }
}

function isPassing(status: number | null): boolean {
  return status === null || status === 429 || status >= 500;
}

/** Returns the status of the answer; null when none came. */
async function post(url: string, body: string, way: ReturnType<typeof through>): Promise<number | null> {
  try {
    const response = await fetch(url, {
      ...way,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'rulewright' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The body is not needed, and left unread it would hold its connection.
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
