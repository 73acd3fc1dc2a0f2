import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the proxy does with a request. */
export type Fault =
  | { readonly kind: 'pass' }
  /** The connection breaks and the service never sees the request. */
  | { readonly kind: 'cut-before' }
  /** The service carries out the request, but the answer is lost. */
  | { readonly kind: 'cut-after' }
  /** The service never sees the request; this answer comes back. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The service carries out the request, but another answer comes back. */
  | { readonly kind: 'answer-after'; readonly status: number; readonly body: string }
  /** The service gets the request twice; the second answer comes back. */
  | { readonly kind: 'twice' }
  /** The service carries out the request, and its answer is changed on its way. */
  | { readonly kind: 'reanswer'; readonly body: (body: string) => string }
  /** The service carries out the request, but only the first half of its answer comes back, as if it were whole. */
  | { readonly kind: 'truncate' }
  /** The request is passed on with another path. */
  | { readonly kind: 'rewrite'; readonly path: (path: string) => string }
  /** The answer is that of a gateway that gives up (504); the service carries out the request later, after the next one that is passed on. */
  | { readonly kind: 'late' }
  /** The client is killed, before the service sees the request (`kill-before`) or after it has carried it out (`kill-after`). */
  | { readonly kind: 'kill-before' | 'kill-after'; readonly kill: () => Promise<unknown> }
  /** The request is passed on with another body. */
  | { readonly kind: 'reword'; readonly body: (body: string) => string }
  /** Somebody else acts before the request is passed on. With `lost`, no answer comes back. */
  | { readonly kind: 'meanwhile'; readonly act: () => Promise<unknown>; readonly lost?: true };

/** A request on its way. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** The header of that name. */
  readonly authorization: string;
}

export interface FaultProxy {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Starts an HTTP server between client and service that treats each request as `decide` says. */
export async function openFaultProxy(
  targetBase: string,
  decide: (request: Passing) => Fault,
): Promise<FaultProxy> {
  const target = new URL(targetBase);
  let late: (() => Promise<unknown>) | null = null;
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await collect(incoming);
    const { method = '', url = '', headers } = incoming;
    const authorization = headers.authorization ?? '';
    const passing = { method, path: url, body: body.toString(), authorization };
    const fault = decide(passing);
    if (fault.kind === 'cut-before') {
      incoming.socket.destroy();
      return;
    }
    if (fault.kind === 'late') {
      late = () => forward(target, incoming, { path: passing.path, body });
      answer(outgoing, 504, '<html>504</html>');
      return;
    }
    if (fault.kind === 'kill-before') {
      await fault.kill();
      return;
    }
    if (fault.kind === 'answer') {
      const { status, body: text, type = 'application/json', headers = {} } = fault;
      outgoing.writeHead(status, { 'content-type': type, ...headers }).end(text);
      return;
    }
    if (fault.kind === 'meanwhile') {
      await fault.act();
    }
    if (fault.kind === 'twice') {
      await forward(target, incoming, { path: passing.path, body });
    }
    const path = fault.kind === 'rewrite' ? fault.path(passing.path) : passing.path;
    const { status, text } = await forward(target, incoming, {
      path,
      body: fault.kind === 'reword' ? Buffer.from(fault.body(passing.body)) : body,
    });
    // Taken first, so that it is sent once even if several requests are under way.
    const due = late;
    late = null;
    await due?.();
    if (fault.kind === 'kill-after') {
      await fault.kill();
    } else if (fault.kind === 'cut-after' || (fault.kind === 'meanwhile' && fault.lost === true)) {
      incoming.socket.destroy();
    } else if (fault.kind === 'answer-after') {
      answer(outgoing, fault.status, fault.body);
    } else if (fault.kind === 'reanswer') {
      answer(outgoing, status, fault.body(text));
    } else {
      answer(outgoing, status, fault.kind === 'truncate' ? text.slice(0, text.length / 2) : text);
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

function answer(outgoing: ServerResponse, status: number, body: string): void {
  outgoing.writeHead(status, status === 204 ? {} : { 'content-type': 'application/json' });
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
  { path, body }: { readonly path: string; readonly body: Buffer },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const onward = request(
      {
        host: target.hostname,
        port: target.port,
        method: incoming.method,
        path,
        // Uncompressed answers only, because their text is cut and changed here.
        headers: {
          ...incoming.headers,
          host: target.host,
          'accept-encoding': 'identity',
          'content-length': body.length,
        },
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
