/** The parts of a URL, as they are written: nothing is decoded or normalised. */
export interface Url {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Begins with `/`. */
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
}

const URL_FORM = /^(https?):\/\/([^/?#:@\s]+)(?::(\d{1,5}))?(\/[^?#\s]*)?(?:\?([^#\s]*))?(?:#\S*)?$/iu;
const PATH_FORM = /^(\/[^?#\s]*)(?:\?([^#\s]*))?(?:#\S*)?$/u;

const PORTS = { http: 80, https: 443 } as const;

/** Takes a URL apart; one that begins with `/` goes to `host` over https. Undefined for what is no URL. */
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
    : { scheme, host: name.toLowerCase(), port: number, path: rest, query: search };
}

/** Path and query, as the request line has them. */
export function requestTarget({ path, query }: Pick<Url, 'path' | 'query'>): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The whole URL. */
export function joinUrl(url: Url): string {
  const port = url.port === PORTS[url.scheme] ? '' : `:${url.port}`;
  return `${url.scheme}://${url.host}${port}${requestTarget(url)}`;
}

/** What follows the last dot of the last segment, in lower case; a name that only begins with a dot has none (`fields.json`). */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 1 ? '' : name.slice(dot + 1).toLowerCase();
}
