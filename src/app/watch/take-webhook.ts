import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The largest body that is read: GitHub sends no larger one for a push (its docs, "Webhook events and payloads"). */
const MOST_BYTES = 25 * 1024 * 1024;

/** The status of the answer to a webhook: 202 if it is signed with the secret. */
export type WebhookAnswer = 202 | 401 | 413;

/**
 * Reads a webhook and judges its signature: HMAC-SHA-256 of the body, in the header that GitHub, Gitea and Forgejo send. Nothing of the body is used,
 * and without a signature of the right form it is not even read.
 */
export async function judgeWebhook(request: IncomingMessage, secret: string): Promise<WebhookAnswer> {
  const header = request.headers['x-hub-signature-256'];
  const [, claimed] = /^sha256=([0-9a-f]{64})$/u.exec(typeof header === 'string' ? header : '') ?? [];
  if (claimed === undefined) {
    return 401;
  }
  const hmac = createHmac('sha256', secret);
  let bytes = 0;
  for await (const chunk of request) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += piece.length;
    if (bytes > MOST_BYTES) {
      return 413;
    }
    hmac.update(piece);
  }
  return timingSafeEqual(hmac.digest(), Buffer.from(claimed, 'hex')) ? 202 : 401;
}
