import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FIELDS } from '../../src/expression/public.ts';
import { parseExpression } from '../../src/expression/parse/parse-expression.ts';
import { compileFilter } from '../../src/expression/evaluate/compile-expression.ts';
import { neverOf } from '../../src/expression/imply/claim.ts';
import type { Values } from '../../src/expression/public.ts';
import { isIp } from '../../src/expression/values/value.ts';
import { asksZone, ordinaryHits } from '../../src/simulate/ordinary-hits.ts';
import {
  FIRST_VISITS,
  ORDINARY,
  ordinaryRequest,
  OVER_IPV4,
  TRIED,
} from '../../src/simulate/ordinary-requests.ts';

const BITS = Array.from({ length: 32 }, (_, bit) => bit);

/** The requests of a set. */
const requestsOf = (set: number, zone: string | undefined): readonly Values[] =>
  BITS.flatMap((bit) => ((set & (1 << bit)) === 0 ? [] : (ordinaryRequest(bit, { zone }) ?? [])));

const hosts = (zone: string | undefined): readonly unknown[] => [
  ...new Set(requestsOf(TRIED, zone).map((request) => request.get('http.host'))),
];

const families = (set: number): ReadonlySet<unknown> =>
  new Set(
    requestsOf(set, 'shop.example').map((request) => {
      const address = request.get('ip.src');
      return address !== undefined && isIp(address) ? address.family : 'none';
    }),
  );

describe('ordinary requests', () => {
  it('satisfy everything that the proofs assume of all requests', () => {
    const requests = requestsOf(TRIED, 'shop.example');
    const wrong = [...FIELDS.keys()].flatMap((field) =>
      neverOf(field).filter(({ condition, sense }) => {
        const compiled = compileFilter(condition);
        return !compiled.ok || requests.some((request) => compiled.evaluate(request) === (sense === 'as is'));
      }),
    );
    expect(requests).toHaveLength(20);
    expect(wrong).toEqual([]);
  });

  it('go to the hosts of the given zone, whichever zone was asked about before', () => {
    expect(hosts('shop.example')).toEqual(['www.shop.example', 'shop.example']);
    expect(hosts('blog.example')).toEqual(['www.blog.example', 'blog.example']);
    expect(hosts('shop.example')).toEqual(['www.shop.example', 'shop.example']);
  });

  it('go to several zones if no zone is given', () => {
    expect(hosts(undefined)).toEqual(['www.example.com', 'example.net']);
  });

  it('do not exist for a zone whose name is no host name', () => {
    expect(hosts('a zone')).toEqual([]);
  });

  it('come from the same visitors in the mixed set and in the set over IPv4', () => {
    expect(families(ORDINARY)).toEqual(new Set([4, 6]));
    expect(families(OVER_IPV4)).toEqual(new Set([4]));
    const visitors = (set: number): unknown =>
      requestsOf(set, 'shop.example')
        .map((request) =>
          JSON.stringify([request.get('ip.src.country'), request.get('http.request.full_uri')]),
        )
        .sort();
    expect(visitors(OVER_IPV4)).toEqual(visitors(ORDINARY));
    expect(
      new Set(BITS.filter((bit) => ordinaryRequest(bit, { zone: 'shop.example' }) !== undefined)).size,
    ).toBe(20);
  });
});

describe('first visits', () => {
  it('come from every continent, to both host names, with every browser', () => {
    const requests = requestsOf(FIRST_VISITS, 'shop.example');
    const values = (field: string): number => new Set(requests.map((request) => request.get(field))).size;
    expect(['ip.src.continent', 'http.host', 'http.user_agent'].map(values)).toEqual([6, 2, 3]);
  });
});

describe('ordinaryHits', () => {
  const hits = (text: string, zone: string | undefined, host?: string) =>
    ordinaryHits(text, { zone, host }, () => {
      const parsed = parseExpression(text);
      return parsed.ok && parsed.tree.mode === 'filter' ? parsed.tree.root : undefined;
    });
  const IPV4 = 'ip.src in {0.0.0.0/0}';
  // Two of the first visits come over IPv6.
  const BY_IPV4 = OVER_IPV4 | (FIRST_VISITS & ~(0b1010 << 14));
  const exactly = (requests: number) => ({ least: requests, most: requests });

  it.each([
    'http.cookie eq ""',
    'http.referer eq ""',
    'not any(http.request.headers.names[*] in {"cookie" "referer"})',
    'http.request.uri.query eq ""',
    'http.request.uri.path eq "/"',
    'http.request.version eq "HTTP/2"',
  ])('hits all first visits, but not all other requests, with %s', (text) => {
    expect(hits(text, 'shop.example').least & FIRST_VISITS).toBe(FIRST_VISITS);
    expect(hits(text, 'shop.example').least & ORDINARY).not.toBe(ORDINARY);
  });

  it('gives the same result whether the clause about the host comes first or last', () => {
    const zones = ['shop.example', 'SHOP.example', 'bücher.example', 'a zone', undefined];
    const asked = [
      'shop.example',
      'www.shop.example',
      'api.shop.example',
      'www.xn--bcher-kva.example',
      'Shop.example',
    ];
    const wrong = zones.flatMap((zone) =>
      asked.filter((host) => {
        const [first, last] = [`http.host eq "${host}" and ssl`, `ssl and http.host eq "${host}"`];
        const names = zone === undefined ? [undefined] : [undefined, zone, `www.${zone}`];
        return names.some((name) => !isDeepStrictEqual(hits(first, zone, name), hits(last, zone, name)));
      }),
    );
    expect(wrong).toEqual([]);
    expect(hits('http.host eq "www.shop.example"', 'shop.example').most).not.toBe(0);
    expect(hits('http.host eq "api.shop.example"', 'shop.example')).toEqual(exactly(0));
  });

  it('tests all clauses, including those that depend on the zone', () => {
    expect(hits('ssl', 'shop.example')).toEqual(exactly(TRIED));
    expect(hits(IPV4, 'shop.example')).toEqual(exactly(BY_IPV4));
    expect(hits('http.host eq "shop.example" and ip.src in {::/0}', 'shop.example')).toEqual(
      exactly(0b1010 | (0b1010 << 14)),
    );
    expect(hits('http.host eq "shop.example" and ip.src in {::/0}', 'blog.example')).toEqual(exactly(0));
  });

  it('tries only the requests to the given host, and is uncertain about lists of hosts', () => {
    const www = 'http.host eq "www.shop.example"';
    expect(hits(www, 'shop.example', 'www.shop.example')).toEqual(exactly(TRIED));
    expect(hits(www, 'shop.example', 'shop.example')).toEqual(exactly(0));
    expect(hits(`${www} and ${IPV4}`, 'shop.example', 'www.shop.example')).toEqual(exactly(BY_IPV4));
    expect(hits('http.host in $hosts', 'shop.example', 'www.shop.example').least).toBe(0);
    expect(hits('not http.host in $hosts', 'shop.example', 'shop.example').least).toBe(0);
    expect(hits(`${www} and not ip.src in $office`, 'shop.example', 'www.shop.example')).toEqual(
      exactly(TRIED),
    );
  });

  it('gives a lower and an upper bound if a clause or the zone cannot be evaluated', () => {
    const strange = 'http.user_agent matches "(?mR)^a"';
    expect(hits(strange, 'shop.example')).toEqual({ least: 0, most: TRIED });
    expect(hits(`ssl and ${strange} and ${IPV4}`, 'shop.example')).toEqual({ least: 0, most: BY_IPV4 });
    expect(hits('http.host eq', 'shop.example')).toEqual({ least: 0, most: TRIED });
    expect(hits('http.host eq "a"', 'a zone')).toEqual({ least: 0, most: TRIED });
  });

  it('treats every field whose value differs between zones as dependent on the zone', () => {
    const [one, other] = ['shop.example', 'blog.example'].map((zone) => requestsOf(TRIED, zone));
    const told = [...FIELDS.keys()].filter(
      (field) =>
        !isDeepStrictEqual(
          one?.map((request) => request.get(field)),
          other?.map((request) => request.get(field)),
        ),
    );
    expect(told.filter((field) => !asksZone(field))).toEqual([]);
    expect(told).toContain('http.host');
  });
});
