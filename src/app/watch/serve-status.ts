import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { judgeWebhook } from './take-webhook.ts';
import type { WatchStatus } from './watch-status.ts';
import { healthLine, watchMetrics } from './watch-status.ts';

/** Where the status is served. */
export interface StatusAddress {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
}

/** What webhooks are signed with, and what one that is does: it begins a round sooner, and nothing else. */
export interface TakenWebhook {
  readonly secret: string;
  readonly now: () => number;
  readonly onCall: () => void;
}

/** A server of the status of a watcher. */
export interface StatusServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Serves `/healthz` and `/metrics` for GET, and `/webhook` for POST where webhooks are taken. Rejects if the address cannot be listened on. */
export async function serveStatus(
  { host, port }: StatusAddress,
  status: WatchStatus,
  webhook: TakenWebhook | null,
): Promise<StatusServer> {
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    answer(request, response, { status, webhook }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface StatusSource {
  readonly status: WatchStatus;
  readonly webhook: TakenWebhook | null;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, webhook }: StatusSource,
): Promise<void> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const plain = { 'content-type': 'text/plain' };
  switch (`${request.method ?? ''} ${path}`) {
    case 'GET /healthz': {
      const { isWell, text } = healthLine(status);
      response.writeHead(isWell ? 200 : 503, plain).end(`${text}\n`);
      return;
    }
    case 'GET /metrics': {
      const type = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
      response.writeHead(200, { 'content-type': type }).end(watchMetrics(status));
      return;
    }
    case 'POST /webhook': {
      if (webhook === null) {
        break;
      }
      const judged = await judgeWebhook(request, { secret: webhook.secret, now: webhook.now() });
      response.writeHead(judged, { ...plain, connection: 'close' }).end(`${WEBHOOK_WORDS[judged]}\n`);
      if (judged === 202) {
        webhook.onCall();
      }
      return;
    }
    default:
  }
  response.writeHead(404, plain).end('there is no such page\n');
}

const WEBHOOK_WORDS = {
  202: 'the branch is pulled next',
  401: 'not signed with the secret',
  413: 'too large',
} as const;
