import { describe, expect, it } from 'vitest';
import { isDeepStrictEqual } from 'node:util';
import { FIELDS } from '../../src/expression/index.ts';
import { parseExpression } from '../../src/expression/parse/parse.ts';
import { compileFilter } from '../../src/expression/evaluate/compile.ts';
import { neverOf } from '../../src/expression/imply/facts.ts';
import type { Values } from '../../src/expression/index.ts';
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
  it('are as the proofs take all requests to be', () => {
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

  it('go to the zone that is asked about, whichever was before', () => {
    expect(hosts('shop.example')).toEqual(['www.shop.example', 'shop.example']);
    expect(hosts('blog.example')).toEqual(['www.blog.example', 'blog.example']);
    expect(hosts('shop.example')).toEqual(['www.shop.example', 'shop.example']);
  });

  it('of an account go to several zones', () => {
    expect(hosts(undefined)).toEqual(['www.example.com', 'example.net']);
  });

  it('are none where the name of the zone is no host', () => {
    expect(hosts('a zone')).toEqual([]);
  });

  it('are of the same visitors, as they come and by IPv4', () => {
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
  it('come from every continent, to both names, with every browser', () => {
    const requests = requestsOf(FIRST_VISITS, 'shop.example');
    const values = (field: string): number => new Set(requests.map((request) => request.get(field))).size;
    expect(['ip.src.continent', 'http.host', 'http.user_agent'].map(values)).toEqual([6, 2, 3]);
  });
});

describe('the ordinary requests that meet a condition', () => {
  const hits = (text: string, zone: string | undefined, host?: string) =>
    ordinaryHits(text, { zone, host }, () => {
      const parsed = parseExpression(text);
      return parsed.ok && parsed.tree.mode === 'filter' ? parsed.tree.root : undefined;
    });
  const IPV4 = 'ip.src in {0.0.0.0/0}';
  // Of the first visits, two are by IPv6.
  const BY_IPV4 = OVER_IPV4 | (FIRST_VISITS & ~(0b1010 << 14));
  const exactly = (requests: number) => ({ least: requests, most: requests });

  it.each([
    'http.cookie eq ""',
    'http.referer eq ""',
    'not any(http.request.headers.names[*] in {"cookie" "referer"})',
    'http.request.uri.query eq ""',
    'http.request.uri.path eq "/"',
    'http.request.version eq "HTTP/2"',
  ])('are first visits where nothing else is asked than %s', (text) => {
    expect(hits(text, 'shop.example').least & FIRST_VISITS).toBe(FIRST_VISITS);
    expect(hits(text, 'shop.example').least & ORDINARY).not.toBe(ORDINARY);
  });

  it('are the same however a condition begins that asks for hosts', () => {
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

  it('are found by all clauses, also those that look at the zone', () => {
    expect(hits('ssl', 'shop.example')).toEqual(exactly(TRIED));
    expect(hits(IPV4, 'shop.example')).toEqual(exactly(BY_IPV4));
    expect(hits('http.host eq "shop.example" and ip.src in {::/0}', 'shop.example')).toEqual(
      exactly(0b1010 | (0b1010 << 14)),
    );
    expect(hits('http.host eq "shop.example" and ip.src in {::/0}', 'blog.example')).toEqual(exactly(0));
  });

  it('are all of those to one name where nothing else is asked', () => {
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

  it('are told with what cannot be said', () => {
    const strange = 'http.user_agent matches "(?mR)^a"';
    expect(hits(strange, 'shop.example')).toEqual({ least: 0, most: TRIED });
    expect(hits(`ssl and ${strange} and ${IPV4}`, 'shop.example')).toEqual({ least: 0, most: BY_IPV4 });
    expect(hits('http.host eq', 'shop.example')).toEqual({ least: 0, most: TRIED });
    expect(hits('http.host eq "a"', 'a zone')).toEqual({ least: 0, most: TRIED });
  });

  it('are the same for a zone whatever a field of it says, unless the condition asks', () => {
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
