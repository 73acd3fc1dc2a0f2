import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { replayDocument, wholeText } from '../../src/report/index.ts';
import type { JsonObject } from '../../src/data/index.ts';
import type { Log } from '../../src/traffic/index.ts';
import { redactPath } from '../../src/traffic/redact-request.ts';
import { bytesLog, gzipped, logOf, newRule, replayed, row, zoneWith } from './build.ts';

const ALL = zoneWith({}, { http_request_firewall_custom: [newRule('n', 'true')] });

/** Rows that differ in their client. */
function clients(count: number, over: (index: number) => JsonObject): readonly JsonObject[] {
  return Array.from({ length: count }, (_, index) =>
    row({ ClientIP: `192.0.2.${index + 1}`, ...over(index) }),
  );
}

describe('a log of anybody', () => {
  it.each([
    ['no JSON', '{"a":', 'it is not JSON'],
    ['no object', '[1]', 'it is not a JSON object'],
    ['nothing of a request', '{"ClientIP":"192.0.2.1"}', 'it has no ClientRequestURI or ClientRequestPath'],
    ['brackets without end', '['.repeat(500_000), 'it is not JSON'],
    [
      'deep JSON',
      `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      'it has no ClientRequestURI or ClientRequestPath',
    ],
  ])('names the line that has %s, and goes on', async (_, line, reason) => {
    const { records, unreadable, unreadable_lines: lines } = await replayed(ALL, [logOf(row(), line, row())]);
    expect([records, unreadable, lines]).toEqual([2, 1, [{ file: 'test.log', line: 2, reason }]]);
  });

  it('passes over a line of 50 MB without keeping it', async () => {
    const piece = Buffer.alloc(1 << 20, 'a');
    const start = Buffer.from(`${JSON.stringify(row())}\n{"a":"`);
    const end = Buffer.from(`"}\n${JSON.stringify(row())}\n`);
    const log = {
      name: 'test.log',
      async *open() {
        yield await Promise.resolve(start);
        for (let count = 0; count < 50; count += 1) {
          yield piece;
        }
        yield end;
      },
    };
    const { records, unreadable_lines: lines } = await replayed(ALL, [log]);
    expect([records, lines]).toEqual([2, [{ file: 'test.log', line: 2, reason: 'it is longer than 1 MiB' }]]);
  });

  it('reads what is compressed, whatever it is called, and refuses a bomb', async () => {
    const text = `${JSON.stringify(row())}\n`.repeat(3);
    expect((await replayed(ALL, [gzipped(text)])).records).toBe(3);
    const bomb = gzipped(`${JSON.stringify(row())}\n${'a'.repeat(200 << 20)}`);
    await expect(replayed(ALL, [bomb])).rejects.toThrow(
      'becomes more than 200 times as large when it is decompressed',
    );
  });

  const zstd: unknown = Reflect.get(zlib, 'zstdCompressSync');
  it.skipIf(typeof zstd !== 'function')('reads Zstandard, and refuses a bomb of it', async () => {
    const compressed = (text: string): Log => {
      const bytes: Uint8Array = Reflect.apply(zstd as () => Uint8Array, zlib, [Buffer.from(text)]);
      return bytesLog(bytes, 1 << 16);
    };
    const line = `${JSON.stringify(row())}\n`;
    expect((await replayed(ALL, [compressed(line.repeat(3))])).records).toBe(3);
    await expect(replayed(ALL, [compressed(`${line}${'a'.repeat(200 << 20)}`)])).rejects.toThrow(
      'becomes more than 200 times as large when it is decompressed',
    );
  });

  it('has dates for its period, whatever times its records say', async () => {
    const { records, period } = await replayed(ALL, [
      logOf(row(), row({ EdgeStartTimestamp: 1e300 }), row({ EdgeStartTimestamp: '9'.repeat(400) })),
    ]);
    expect([records, period?.to]).toEqual([3, period?.from]);
  });

  it('reads the first line behind a byte order mark', async () => {
    const marked = bytesLog(Buffer.from(`\u{feff}${JSON.stringify(row())}\n${JSON.stringify(row())}\n`), 1);
    const { records, unreadable } = await replayed(ALL, [marked]);
    expect([records, unreadable]).toEqual([2, 0]);
  });

  it('gives up a log of which hardly any line can be read', async () => {
    const lines = `${JSON.stringify(row())}\n${'a\n'.repeat(200_001)}`;
    await expect(replayed(ALL, [bytesLog(Buffer.from(lines), 1 << 16)])).rejects.toThrow(
      'of each ten lines of the logs, nine cannot be read, such as line 2 of test.log: it is not JSON',
    );
  });

  it('says that it does not know a form', async () => {
    await expect(replayed(ALL, [logOf('hello')])).rejects.toMatchObject({ code: 'replay/log' });
    expect((await replayed(ALL, [logOf('hello')], { format: 'combined' })).unreadable).toBe(1);
  });

  it('counts the same however the bytes come', async () => {
    const lines = [
      ...clients(30, (index) => ({ ClientRequestURI: `/${index % 3}` })),
      { broken: true },
      row(),
    ];
    const text = Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\r\n')}\n\n`);
    const [whole, ...others] = await Promise.all(
      [1 << 20, 1000, 17].map((piece) => replayed(ALL, [bytesLog(text, piece)])),
    );
    expect(whole?.records).toBe(31);
    expect(others).toEqual([whole, whole]);
  });

  it('breaks no terminal', async () => {
    const evil = '/\u001b[31m\u202e\u0007<img src=x>|`';
    const log = logOf(
      ...clients(6, () => ({
        ClientRequestURI: evil,
        ClientRequestUserAgent: '\u001b]0;a\u0007',
        ClientCountry: '\u001b[2J',
      })),
    );
    const text = wholeText(replayDocument(await replayed(ALL, [log])), { width: 80, colour: false });
    // eslint-disable-next-line no-control-regex -- these are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/u);
  });
});

describe('whose requests these are', () => {
  const SECRETS = [
    'anna@shop.example',
    '4111111111111111',
    'eyJhbGciOiJIUzI1NiJ9',
    '0a1b2c3d4e5f60718293a4b5',
    'Zx9-tokenTOKEN12345',
    '203.0.113.7',
  ];

  it('tells nothing that may be a secret or identify somebody', async () => {
    const rows = clients(6, () => ({
      ClientIP: '203.0.113.7',
      ClientRequestURI: `/orders/${SECRETS.slice(0, 5).join('/')}?token=${SECRETS[2] ?? ''}`,
      ClientRequestReferer: `https://a.example/?${SECRETS[0] ?? ''}`,
      ClientRequestUserAgent: `app (${SECRETS[0] ?? ''})`,
      Cookies: { session: SECRETS[3] ?? '' },
    }));
    const document = JSON.stringify(await replayed(ALL, [logOf(...rows)]));
    expect(SECRETS.filter((secret) => document.includes(secret))).toEqual([]);
    expect(document).toContain('"path":"/orders/*/*/*/*/*"');
    expect(document).toContain('"from":"203.0.113.0/24"');
    const shown = JSON.stringify(await replayed(ALL, [logOf(...rows)], { showAddresses: true }));
    expect(shown).toContain('"from":"203.0.113.7"');
  });

  it.each([
    ['a mail address that is encoded twice', 'maria%2540shop.example', '*'],
    ['the value of a parameter', 'token=hunter2', '*'],
    ['the value of an encoded parameter', 'token%3Dhunter2', '*'],
    ['a short JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.e30.abc', '*'],
    ['a phone number with dashes', '43-664-123-4567', '*'],
    ['a phone number with encoded blanks', '+43%20664%20123', '*'],
    ['an IPv4 address', '10.1.2.3', '*'],
    ['an IPv6 address', '2001:db8::7', '*'],
    ['an encoded IPv6 address', '2001%3Adb8%3A%3A7', '*'],
    ['a date', '2026-11-27', '2026-11-27'],
    ['a version', 'v1.12.3', 'v1.12.3'],
    ['words', 'how-to-write-rules', 'how-to-write-rules'],
  ])('shows of %s in a path what it may', (_, segment, shown) => {
    expect(redactPath(`/a/${segment}/b`)).toBe(`/a/${shown}/b`);
  });

  it('looks at a segment of any length in no time', () => {
    const before = performance.now();
    expect(redactPath(`/a/${'b'.repeat(1_000_000)}!`)).toBe('/a/*');
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it('lists no value that fewer than five clients sent', async () => {
    const few = Array.from({ length: 9 }, (_, index) =>
      row({ ClientIP: `192.0.2.${index % 4}`, ClientRequestURI: '/rare', ClientCountry: 'de' }),
    );
    const { groups } = await replayed(ALL, [
      logOf(...few, ...clients(5, () => ({ ClientRequestURI: '/known' }))),
    ]);
    expect(groups.newly_blocked).toMatchObject({
      records: 14,
      paths: [{ value: '/known', records: 5 }],
      countries: [{ value: 'AT', records: 5 }],
      user_agents: [{ value: 'Mozilla/5.0', records: 14 }],
    });
    expect(groups.newly_blocked?.examples.map(({ path }) => path).toSorted()).toEqual(['/known', '/rare']);
  });

  it('counts verified bots and networks that have a name', async () => {
    const rows = clients(4, (index) => ({ VerifiedBotCategory: index === 0 ? 'Search Engine Crawler' : '' }));
    const networks = { office: ['192.0.2.3', '192.0.2.4/32'], home: ['2001:db8::/32'] };
    const { groups } = await replayed(ALL, [logOf(...rows, row({ ClientIP: '2001:db8::1' }))], { networks });
    expect(groups.newly_blocked).toMatchObject({
      verified_bots: 1,
      bots_known: 4,
      networks: [
        { name: 'home', records: 1 },
        { name: 'office', records: 2 },
      ],
    });
  });

  it('leaves requests to other zones out, and counts them', async () => {
    const hosts = ['shop.example', 'a.b.shop.example', 'notshop.example', 'example'];
    const log = logOf(...hosts.map((host) => row({ ClientRequestHost: host })));
    const { records, other_zones: others, zones } = await replayed(ALL, [log]);
    expect([records, others, zones]).toMatchObject([2, 2, [{ name: 'shop.example', records: 2 }]]);
  });

  it('takes requests without a host for the zone that it is told, and else leaves them out', async () => {
    const log = logOf(row({ ClientRequestHost: '' }), row({ ClientRequestHost: 'shop.example' }));
    const counts = async (hostless: string | null) => {
      const { records, without_host: left, other_zones: others } = await replayed(ALL, [log], { hostless });
      return [records, left, others];
    };
    expect(await counts('shop.example')).toEqual([2, 0, 0]);
    expect(await counts(null)).toEqual([1, 1, 0]);
  });
});
