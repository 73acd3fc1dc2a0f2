import { lowerAscii } from '../expression/index.ts';

/** The parts of a URL as binary strings, as written: nothing is decoded or normalised. */
export interface Url {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Begins with `/`. */
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
}

// Only ASCII bytes are white space: 0xA0 is a part of letters such as `à`. Only IPv6 addresses have colons in them, between brackets.
const URL_FORM =
  /^(https?):\/\/(\[[\da-f:.]+\]|[^/?#:@[\]\0- ]+)(?::(\d{1,5}))?(\/[^?#\0- ]*)?(?:\?([^#\0- ]*))?(?:#[^\0- ]*)?$/iu;
const PATH_FORM = /^(\/[^?#\0- ]*)(?:\?([^#\0- ]*))?(?:#[^\0- ]*)?$/u;

const PORTS = { http: 80, https: 443 } as const;

/** Splits a URL; one that begins with `/` goes to `host` over https. Undefined for a text that is not a URL. */
export function splitUrl(text: string, host: string): Url | undefined {
  const [, path, query = ''] = PATH_FORM.exec(text) ?? [];
  if (path !== undefined) {
    return { scheme: 'https', host, port: PORTS.https, path, query };
  }
  const [whole, protocol = '', name = '', port, rest = '/', search = ''] = URL_FORM.exec(text) ?? [];
  if (whole === undefined) {
    return undefined;
  }
  const scheme = protocol.toLowerCase() === 'http' ? 'http' : 'https';
  const number = port === undefined ? PORTS[scheme] : Number(port);
  return number < 1 || number > 65_535
    ? undefined
    : { scheme, host: lowerAscii(name), port: number, path: rest, query: search };
}

/** Returns path and query, as the request line has them. */
export function requestTarget({ path, query }: Pick<Url, 'path' | 'query'>): string {
  return query === '' ? path : `${path}?${query}`;
}

/** Returns the whole URL. */
export function joinUrl(url: Url): string {
  const port = url.port === PORTS[url.scheme] ? '' : `:${url.port}`;
  return `${url.scheme}://${url.host}${port}${requestTarget(url)}`;
}

/** Returns the last segment of a path. */
export function basenameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Returns what follows the last dot of the last segment, in lower case; empty when there is no dot, or only one at its start
 * (`fields.json`).
 */
export function extensionOf(path: string): string {
  const name = basenameOf(path);
  const dot = name.lastIndexOf('.');
  return dot < 1 ? '' : lowerAscii(name.slice(dot + 1));
}
