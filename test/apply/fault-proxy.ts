import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the proxy does with a request. */
export type Fault =
  | { readonly kind: 'pass' }
  /** The connection breaks and the service never sees the request. */
  | { readonly kind: 'cut-before' }
  /** The service does it, the answer is lost. */
  | { readonly kind: 'cut-after' }
  /** The service never sees it; this comes back. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly type?: string }
  /** The service does it, something else comes back. */
  | { readonly kind: 'answer-after'; readonly status: number; readonly body: string }
  /** Somebody else is quicker: runs before the request goes on. */
  | { readonly kind: 'meanwhile'; readonly act: () => Promise<unknown> };

export interface FaultProxy {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** A real HTTP server between client and service that makes trouble where `decide` says. */
export async function openFaultProxy(
  targetBase: string,
  decide: (request: { readonly method: string; readonly path: string }) => Fault,
): Promise<FaultProxy> {
  const target = new URL(targetBase);
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await collect(incoming);
    const fault = decide({ method: incoming.method ?? '', path: incoming.url ?? '' });
    if (fault.kind === 'cut-before') {
      incoming.socket.destroy();
      return;
    }
    if (fault.kind === 'answer') {
      answer(outgoing, fault.status, fault.body, fault.type);
      return;
    }
    if (fault.kind === 'meanwhile') {
      await fault.act();
    }
    const { status, text } = await forward(target, incoming, body);
    if (fault.kind === 'cut-after') {
      incoming.socket.destroy();
    } else if (fault.kind === 'answer-after') {
      answer(outgoing, fault.status, fault.body);
    } else {
      answer(outgoing, status, text);
    }
  };
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}${target.pathname}`, close: () => close(server) };
}

function answer(outgoing: ServerResponse, status: number, body: string, type = 'application/json'): void {
  outgoing.writeHead(status, status === 204 ? {} : { 'content-type': type });
  outgoing.end(status === 204 ? undefined : body);
}

async function collect(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function forward(
  target: URL,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const onward = request(
      {
        host: target.hostname,
        port: target.port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, host: target.host },
      },
      (response) => {
        collect(response).then(
          (data) => resolve({ status: response.statusCode ?? 0, text: data.toString() }),
          reject,
        );
      },
    );
    onward.on('error', reject);
    onward.end(body);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
