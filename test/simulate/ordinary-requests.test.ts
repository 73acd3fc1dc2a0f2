import { describe, expect, it } from 'vitest';
import { FIELDS } from '../../src/expression/index.ts';
import { compileFilter } from '../../src/expression/evaluate/compile.ts';
import { neverOf } from '../../src/expression/imply/facts.ts';
import { ordinaryRequests } from '../../src/simulate/ordinary-requests.ts';

const hosts = (zone: string | undefined): readonly unknown[] => [
  ...new Set([...ordinaryRequests(zone)].map((request) => request.get('http.host'))),
];

describe('ordinary requests', () => {
  it('are as the proofs take all requests to be', () => {
    const requests = [...ordinaryRequests('shop.example')];
    const wrong = [...FIELDS.keys()].flatMap((field) =>
      neverOf(field).filter(({ condition, sense }) => {
        const compiled = compileFilter(condition);
        return !compiled.ok || requests.some((request) => compiled.evaluate(request) === (sense === 'as is'));
      }),
    );
    expect(requests).toHaveLength(10);
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
});
