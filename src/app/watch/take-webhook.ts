import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Hmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** The largest body that is read: GitHub sends no larger one for a push (its docs, "Webhook events and payloads"). */
const MOST_BYTES = 25 * 1024 * 1024;

/** A signature that was sent later says nothing: who once saw it could send it again. */
const LATE_SECONDS = 300;

/** The status of the answer to a webhook: 202 if it is signed with the secret. */
export type WebhookAnswer = 202 | 401 | 413;

/** With what webhooks are signed, and the time in milliseconds since 1970. */
export interface WebhookSecret {
  readonly secret: string;
  readonly now: number;
}

/**
 * Reads a webhook and judges its signature, in the form of GitHub, Gitea and Forgejo, or in that of Standard Webhooks, as GitLab has it from 19 on. Nothing
 * of the body is used, and without a signature of the right form it is not even read.
 */
export async function judgeWebhook(request: IncomingMessage, secret: WebhookSecret): Promise<WebhookAnswer> {
  const claim = standardClaim(request.headers, secret) ?? githubClaim(request.headers, secret);
  if (claim === null) {
    return 401;
  }
  let bytes = 0;
  for await (const chunk of request) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += piece.length;
    if (bytes > MOST_BYTES) {
      return 413;
    }
    claim.hmac.update(piece);
  }
  const digest = claim.hmac.digest();
  return claim.digests.some((one) => one.length === digest.length && timingSafeEqual(digest, one))
    ? 202
    : 401;
}

/** What a webhook says to be signed with: the HMAC that waits for the body, and what it is to be. */
interface SignatureClaim {
  readonly hmac: Hmac;
  readonly digests: readonly Buffer[];
}

/** HMAC-SHA-256 of the body. */
function githubClaim(headers: IncomingHttpHeaders, { secret }: WebhookSecret): SignatureClaim | null {
  const [, claimed] = /^sha256=([0-9a-f]{64})$/u.exec(headerOf(headers, 'x-hub-signature-256')) ?? [];
  return claimed === undefined
    ? null
    : { hmac: createHmac('sha256', secret), digests: [Buffer.from(claimed, 'hex')] };
}

/** HMAC-SHA-256 of `ID.TIME.BODY`, by the bytes that a secret `whsec_BASE64` stands for; several signatures while a secret is replaced. */
function standardClaim(headers: IncomingHttpHeaders, { secret, now }: WebhookSecret): SignatureClaim | null {
  const [id, time] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')];
  const digests = [
    ...headerOf(headers, 'webhook-signature').matchAll(/(?:^| )v1,([\w+/]{43}=)(?= |$)/gu),
  ].map(([, digest = '']) => Buffer.from(digest, 'base64'));
  const [, key] = /^whsec_([\w+/]{22,}={0,2})$/u.exec(secret) ?? [];
  const isFresh = /^\d{1,12}$/u.test(time) && Math.abs(now / 1000 - Number(time)) <= LATE_SECONDS;
  return id === '' || !isFresh || digests.length === 0 || key === undefined
    ? null
    : { hmac: createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${time}.`), digests };
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
