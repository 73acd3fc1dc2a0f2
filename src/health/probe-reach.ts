import { BlockList, isIP } from 'node:net';

/** A host that `--allow-probe-host` names. */
export interface AllowedProbeHost {
  /** As URLs spell it: lower case, in ASCII, addresses in their shortest form, those of IPv6 in brackets. */
  readonly host: string;
  /** Null for every port. */
  readonly port: number | null;
}

/** The hosts that probes may reach. */
export interface ProbeReach {
  /** The names of the zones of the run; hosts in them are reached at the ports of the scheme, and at public addresses. */
  readonly zones: readonly string[];
  readonly allowed: readonly AllowedProbeHost[];
}

/** Reads a value of `--allow-probe-host`: a name or an address, with a port or without; undefined if it is none. */
export function readProbeHost(text: string): AllowedProbeHost | undefined {
  const bare = isIP(text) === 6 ? `[${text}]` : text;
  const [, name = '', port] = /^(\[[^\]]*\]|[^:/?#@\\]+)(?::(\d{1,5}))?$/u.exec(bare) ?? [];
  const host = hostOf(name);
  return host === undefined || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1
    ? undefined
    : { host, port: port === undefined ? null : Number(port) };
}

/** Returns a name as URLs spell it; undefined if no URL can have it. */
function hostOf(name: string): string | undefined {
  const url = `http://${name}/`;
  return name === '' || !URL.canParse(url) ? undefined : withoutDot(new URL(url).hostname);
}

function withoutDot(host: string): string {
  return host.replace(/\.$/u, '');
}

/** What a probe may ask, or why it may not. */
export type ProbeTarget =
  | { readonly kind: 'target'; readonly url: URL; readonly named: boolean }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Decides whether a probe may ask a URL, before any name is resolved: HTTP without user name and password, of a host in a zone of the run, or of one
 * that the command line names. What a URL only spells oddly (decimal and octal addresses, full-width letters) is judged as what it means.
 */
export function probeTarget(text: string, { zones, allowed }: ProbeReach): ProbeTarget {
  if (!URL.canParse(text)) {
    return refused('it is not a URL');
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refused('it is neither http nor https');
  }
  if (url.username !== '' || url.password !== '') {
    return refused('it has a user name or a password, and probes send none');
  }
  const host = withoutDot(url.hostname);
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  if (allowed.some((one) => one.host === host && (one.port === null || one.port === port))) {
    return { kind: 'target', url, named: true };
  }
  const isInZone = zones.some((zone) => {
    const name = hostOf(zone);
    return name !== undefined && (host === name || host.endsWith(`.${name}`));
  });
  if (!isInZone) {
    return refused(`${host} is in no zone of this run; to allow it: --allow-probe-host ${host}`);
  }
  return url.port === ''
    ? { kind: 'target', url, named: false }
    : refused(
        `port ${url.port} is not that of ${url.protocol.slice(0, -1)}; to allow it: --allow-probe-host ${host}:${url.port}`,
      );
}

function refused(why: string): ProbeTarget {
  return { kind: 'refused', why };
}

/** Ranges that are not for the public (IANA's registries of special-purpose addresses), and services of clouds that tell secrets to who asks. */
const SPECIAL: readonly (readonly [kind: string, ranges: readonly string[]])[] = [
  ['a loopback address', ['127.0.0.0/8', '::1/128']],
  [
    'an address of a metadata service',
    ['169.254.169.254/32', '168.63.129.16/32', '100.100.100.200/32', 'fd00:ec2::254/128'],
  ],
  ['a link-local address', ['169.254.0.0/16', 'fe80::/10']],
  ['a private address', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']],
  [
    'a reserved address',
    [
      '0.0.0.0/8',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.88.99.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '224.0.0.0/3',
      '2001::/23',
      '2001:db8::/32',
      // It has an IPv4 address in it.
      '2002::/16',
      '3fff::/20',
    ],
  ],
];

/** What only a probe of that very address may reach. */
const BY_ADDRESS_ONLY = new Set(['an address of a metadata service', 'a link-local address']);

const KINDS = SPECIAL.map(([kind, ranges]) => [kind, blockList(ranges)] as const);

/** All addresses of IPv6 that are given to the public so far. */
const PUBLIC6 = blockList(['2000::/3']);

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/');
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Returns what kind of address it is, if it is none of the public. */
function specialKind(address: string): string | undefined {
  const [plain = ''] = address.split('%');
  const family = isIP(plain);
  if (family === 0) {
    return 'no address';
  }
  const type = family === 4 ? 'ipv4' : 'ipv6';
  // An IPv4 address in one of IPv6 is compared as what it is.
  const kind = KINDS.find(([, list]) => list.check(plain, type))?.[0];
  return kind ?? (family === 6 && !PUBLIC6.check(plain, type) ? 'a reserved address' : undefined);
}

/**
 * Returns why a probe may not connect to an address that its host has, or undefined. Hosts of zones have to be public. Who names a host on the
 * command line may mean one in his own network, but no address of the link or of a metadata service, unless he names just that address.
 */
export function addressProblem(
  address: string,
  { url, named }: Pick<Extract<ProbeTarget, { readonly kind: 'target' }>, 'url' | 'named'>,
): string | undefined {
  const kind = specialKind(address);
  const literal = isIP(url.hostname.replaceAll(/^\[|\]$/gu, '')) !== 0;
  if (kind === undefined || (named && (literal || !BY_ADDRESS_ONLY.has(kind)))) {
    return undefined;
  }
  return `${literal ? '' : `${url.hostname} leads to `}${address}${literal ? ' is' : ','} ${kind}`;
}
