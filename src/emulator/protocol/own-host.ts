import { isIP } from 'node:net';

/** The local end of a connection. */
interface LocalEnd {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

/**
 * Whether a `Host` header names this service: `localhost`, a loopback address or the address that the client has connected to,
 * with the port of the connection, or one of the names in `alsoNamed` (`name` for any port, or `name:port`).
 *
 * A page of another site can give its own name this machine's address (DNS rebinding); its requests still carry that name.
 */
export function namesThisService(
  header: string | undefined,
  { localAddress = '', localPort }: LocalEnd,
  alsoNamed: readonly string[],
): boolean {
  const host = header?.toLowerCase() ?? '';
  const [, bracketed, plain, port = '80'] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/u.exec(host) ?? [];
  const name = bracketed ?? plain ?? '';
  if (alsoNamed.some((each) => [name, `[${name}]`, host].includes(each.toLowerCase()))) {
    return name !== '';
  }
  const isOurs =
    name === 'localhost' || isLoopback(name) || (isIP(name) !== 0 && name === unmapped(localAddress));
  return isOurs && Number(port) === localPort;
}

/** Whether an address is reached from this machine only. */
function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** Returns an IPv4 address that a socket for both families writes as IPv6 (`::ffff:192.0.2.1`). */
function unmapped(address: string): string {
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/u, '');
}
