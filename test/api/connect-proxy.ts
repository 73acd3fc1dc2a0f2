import { createServer } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** An HTTP proxy on loopback that opens tunnels (CONNECT). It is closed when the test ends. */
export interface ConnectProxy {
  readonly url: string;
  /** The tunnels that were asked for, each with its credentials: `service.example:80 Basic …`. */
  readonly asked: readonly string[];
}

/**
 * Starts a proxy whose tunnels all lead to `target`, whatever host is asked for. With a status other than 200 it opens no tunnel; with 0 it
 * closes the connection without an answer.
 */
export async function startConnectProxy(target: string, status = 200): Promise<ConnectProxy> {
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.push(`${request.url ?? ''} ${request.headers['proxy-authorization'] ?? '-'}`);
    if (status !== 200) {
      socket.end(status === 0 ? '' : `HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const onward = connect(Number(new URL(target).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const [one, other] of [[socket, onward] as const, [onward, socket] as const]) {
      one.on('error', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, asked };
}
