import type { Environment } from '../model/index.ts';
import { RulewrightError } from '../model/index.ts';

/** The proxy for requests to one host, in the terms of the HTTP library. */
export interface Proxy {
  /** Both have the same value: the scheme of the requested URL decides which variable is read. */
  readonly httpProxy: string;
  readonly httpsProxy: string;
  /** Hosts that are reached without the proxy, in the form of `NO_PROXY`. */
  readonly noProxy: string;
  /** The environment variable that names the proxy, for messages. */
  readonly variable: string;
}

const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
};

/**
 * Returns the proxy that the environment names for a URL, by the variables that curl reads and `HTTP_PROXY`; none for this machine itself.
 * Files cannot name a proxy, since it learns where the credentials go. Throws `api/bad-proxy`, without the value, which may hold a password.
 */
export function proxyFor(url: string, env: Environment): Proxy | undefined {
  const asked = URL.canParse(url) ? new URL(url) : undefined;
  const variable = VARIABLES[asked?.protocol ?? '']?.find((name) => (env[name] ?? '') !== '');
  if (asked === undefined || variable === undefined || isThisMachine(asked.hostname)) {
    return undefined;
  }
  const value = env[variable] ?? '';
  const uri = value.includes('://') ? value : `http://${value}`;
  if (!isHttpProxy(uri)) {
    throw new RulewrightError(`${variable} is not the URL of an HTTP proxy`, {
      code: 'api/bad-proxy',
      fault: 'user',
      hint: `set ${variable} to something like http://proxy.example:3128 (a % in a password is written %25), or name hosts that are reached directly in NO_PROXY`,
    });
  }
  return { httpProxy: uri, httpsProxy: uri, noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '', variable };
}

/** Whether a text is the URL of an HTTP proxy whose user and password can be decoded: a `%` in them has to be written `%25`. */
function isHttpProxy(uri: string): boolean {
  try {
    const { protocol, username, password } = new URL(uri);
    decodeURIComponent(username + password);
    return /^https?:$/u.test(protocol);
  } catch {
    return false;
  }
}

function isThisMachine(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/u.test(host)
  );
}
