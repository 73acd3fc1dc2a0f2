import type { Agent, Dispatcher } from 'undici';
import { EnvHttpProxyAgent, errors, Pool } from 'undici';
import type { Proxy } from './proxy.ts';

/** Opens a dispatcher that sends requests to hosts of any name through a proxy; `bounds` are the limits of its connections. */
export function openProxy(proxy: Proxy, bounds: Agent.Options = {}): Dispatcher {
  return new EnvHttpProxyAgent({
    ...bounds,
    ...proxy,
    clientFactory: (origin, options) => new Tunnels(origin, options),
  });
}

/**
 * Asks a proxy for tunnels. A proxy that hangs up instead of answering has opened none; undici would take that for a connection that went stale,
 * and ask again at once, forever.
 */
class Tunnels extends Pool {
  override async connect(
    options: Omit<Dispatcher.ConnectOptions, 'origin'>,
  ): Promise<Dispatcher.ConnectData> {
    try {
      return await super.connect(options);
    } catch (error) {
      throw isHangUp(error) ? new errors.RequestAbortedError('the proxy hung up') : error;
    }
  }
}

function isHangUp(error: unknown): boolean {
  return error instanceof errors.SocketError || error instanceof errors.InformationalError;
}
