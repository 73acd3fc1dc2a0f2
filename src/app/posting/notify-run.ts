import { runNewsBody, runPage, sendWebhook } from '../../forge/index.ts';
import type { RunNews, WebhookShape } from '../../forge/index.ts';
import { RulewrightError } from '../../model/index.ts';
import type { Environment } from '../../model/index.ts';
import { proxyFor } from '../../network/index.ts';
import type { Clock } from '../../network/index.ts';

/** Returns the address of the webhook. Throws `webhook/no-url`; called before anything is done. */
export function webhookUrl(env: Environment): string {
  const text = env['RULEWRIGHT_WEBHOOK_URL'] ?? '';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw noUrl(
      'is not set to an address',
      'put the address of the webhook into a secret, and give the step env: RULEWRIGHT_WEBHOOK_URL',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw noUrl(
      'has a user name or a password in it, which are not sent',
      'take an address that is secret itself, as chats give them',
    );
  }
  return text;
}

function noUrl(what: string, hint: string): RulewrightError {
  return new RulewrightError(`RULEWRIGHT_WEBHOOK_URL ${what}`, {
    code: 'webhook/no-url',
    fault: 'user',
    hint,
  });
}

/** Tells a webhook how a command ended. Throws `webhook/no-url` and `webhook/failed`. */
export async function notifyRun(
  news: Omit<RunNews, 'runUrl'>,
  { shape, env, clock }: { readonly shape: WebhookShape; readonly env: Environment; readonly clock: Clock },
): Promise<void> {
  const url = webhookUrl(env);
  const body = runNewsBody({ ...news, runUrl: runPage(env) }, shape);
  await sendWebhook(url, body, { clock, proxy: proxyFor(url, env) });
}
