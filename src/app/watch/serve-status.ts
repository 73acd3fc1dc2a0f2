import { createServer } from 'node:http';
import type { WatchStatus } from './watch-status.ts';
import { healthLine, watchMetrics } from './watch-status.ts';

/** Where the status is served. */
export interface StatusAddress {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
}

/** A server of the status of a watcher. */
export interface StatusServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Serves `/healthz` and `/metrics`, for GET only; nothing can be changed there. Rejects if the address cannot be listened on. */
export async function serveStatus({ host, port }: StatusAddress, status: WatchStatus): Promise<StatusServer> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?', 1);
    if (request.method !== 'GET' || (path !== '/healthz' && path !== '/metrics')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('only GET /healthz and /metrics\n');
      return;
    }
    if (path === '/metrics') {
      const type = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
      response.writeHead(200, { 'content-type': type }).end(watchMetrics(status));
      return;
    }
    const { isWell, text } = healthLine(status);
    response.writeHead(isWell ? 200 : 503, { 'content-type': 'text/plain' }).end(`${text}\n`);
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
