import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';

/** A request as the server got it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What the server does with a request; `index` counts the requests from 0. */
export type Handler = (seen: Seen, response: ServerResponse, index: number) => void;

/** An HTTP server on loopback that is closed when the test ends. */
export interface Loopback {
  readonly baseUrl: string;
  readonly seen: readonly Seen[];
  readonly close: () => Promise<void>;
}

export async function startLoopback(handler: Handler): Promise<Loopback> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one: Seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(one);
      handler(one, response, seen.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  return { baseUrl: `http://127.0.0.1:${port}/client/v4`, seen, close };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** A successful envelope. */
export function success(result: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { result, success: true, errors: [], messages: [], ...more };
}

/** A failed envelope. */
export function failure(...errors: readonly unknown[]): Record<string, unknown> {
  return { result: null, success: false, errors, messages: [] };
}
