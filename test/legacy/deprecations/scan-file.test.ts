import { describe, expect, test } from 'vitest';
import { DEPRECATIONS } from '../../../src/model/retired/deprecations.ts';
import { scanFile } from '../../../src/legacy/deprecations/scan-file.ts';
import { usesOf } from './uses-of.ts';

const WAF = '/zones/{zone_id}/firewall/waf/packages';

describe('the path of a deprecated route', () => {
  const ways: readonly (readonly [string, string])[] = [
    [
      'an absolute URL',
      'https://api.cloudflare.com/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/firewall/waf/packages',
    ],
    ['a base of the shell', '$BASE/zones/$ZONE/firewall/waf/packages'],
    ['a template', '`${base}/zones/${zone.id}/firewall/waf/packages`'],
    ['a Python text', 'f"{base}/zones/{zone}/firewall/waf/packages"'],
    ['a format', '"%s/zones/%s/firewall/waf/packages"'],
    ['a Postman text', '{{base}}/zones/{{zone}}/firewall/waf/packages'],
    ['a joined text', `base + "/zones/" + zone + "/firewall/waf/packages"`],
    ['a joined PHP text', `$base . '/zones/' . $zone . '/firewall/waf/packages'`],
    ['a route', `"/zones/:zone_id/firewall/waf/packages"`],
    ['documentation', '<base>/zones/<zone-id>/firewall/waf/packages'],
  ];
  test.each(ways)('is found in %s', (_, text) => {
    expect(usesOf(text).map((use) => use.replace(/^\d+:\d+ /u, ''))).toEqual([`old-waf ${WAF}`]);
  });

  test.each([
    'https://api.other.example/v1/zones/7/firewall/waf/packages',
    '/api/v2/zones/7/firewall/waf/packages',
    '/zones/7/firewall/waf/packages_old',
    '/myzones/7/firewall/waf/packages',
    '/zones/7/firewall/waf/packages/7/other',
    '/accounts/7/devices/policies',
  ])('is not found in a similar path: %s', (text) => {
    expect(usesOf(`# cloudflare\n${text}`)).toEqual([]);
  });

  test('is found, if other services have it too, only in a file that names the service', () => {
    expect(usesOf(`get('/zones/' + id + '/filters')`)).toEqual([]);
    expect(usesOf(`// Cloudflare\nget('/zones/' + id + '/filters')`)).toEqual([
      '2:7 firewall-rules GET /zones/{zone_id}/filters',
    ]);
  });

  test('is found with the real name of a segment for which the registry has a neutral word', () => {
    expect(usesOf('GET /client/v4/organizations/7/railguns/8/zones')).toEqual([
      '1:16 organizations GET /organizations/{organization_id}/accelerators/{id}/zones',
    ]);
  });

  test('is not found with a method that is not deprecated', () => {
    expect(usesOf('POST /client/v4/zones/7/settings/minify')).toEqual([]);
    expect(usesOf('PATCH /client/v4/zones/7/settings/minify')).toEqual([
      '1:18 minify PATCH /zones/{zone_id}/settings/minify',
    ]);
  });
});

describe('the method of a use', () => {
  const url = 'https://api.cloudflare.com/client/v4/zones/7/rate_limits';
  test.each([
    [`curl ${url}`, 'GET'],
    [`curl -XPOST ${url}`, 'POST'],
    [`curl ${url} \\\n  --json '{}'`, 'POST'],
    [`curl \\\n  --request GET \\\n  --url ${url}`, 'GET'],
    [`curl ${url}\ncurl -X DELETE elsewhere`, 'GET'],
    [`fetch("${url}", {\n  method: "POST",\n})`, 'POST'],
    [`requests.post("${url}")`, 'POST'],
    [`http.NewRequest(http.MethodGet, "${url}")`, 'GET'],
    [`{"method":"POST","url":"${url}"}`, 'POST'],
    [`POST ${url}`, 'POST'],
  ])('is found in %s', (text, method) => {
    expect(usesOf(text).map((use) => use.replace(/^\S+ /u, ''))).toEqual([
      `old-rate-limits ${method} /zones/{zone_id}/rate_limits`,
    ]);
  });

  test('is left out if the text does not tell it', () => {
    expect(usesOf(`const url = "${url}";`)).toEqual(['1:51 old-rate-limits /zones/{zone_id}/rate_limits']);
  });
});

test('every retired route of the registry is found with each of its methods', () => {
  const retired = DEPRECATIONS.filter(
    ({ effect, fields }) =>
      effect.kind === 'gone' ||
      effect.kind === 'renamed' ||
      (effect.kind === 'answers' && fields.length === 0),
  );
  expect(retired.length).toBeGreaterThan(15);
  const missed = retired.flatMap(({ id, affects }) =>
    affects.flatMap(({ methods, path }) =>
      methods
        .map((method) => ({
          method,
          id,
          path,
          text: `${method} /client/v4${path.replaceAll(/\{\w+\}/gu, 'a1')} HTTP/1.1`,
        }))
        .filter(({ method, text }) => !usesOf(text).some((use) => use.endsWith(` ${id} ${method} ${path}`)))
        .map(({ text }) => `${id} ${text}`),
    ),
  );
  expect(missed).toEqual([]);
});

describe('scanFile in infrastructure as code', () => {
  test.each([
    ['an attribute', '  brotli = "on"', '2:3'],
    ['an attribute in quotes', '  "brotli" = "on"', '2:4'],
    ['a block', '  minify {', '2:3'],
    ['the id of a setting', '  setting_id = "brotli"', '2:17'],
    ['JSON', '{"settings":[{"zone":"a","brotli":"on"}]}', '2:27'],
    ['the id of a setting in JSON', '{"setting_id":"brotli"}', '2:16'],
  ])('finds a zone setting as %s', (_, text, place) => {
    const name = /brotli|minify/u.exec(text)?.[0];
    expect(usesOf(`cloudflare_zone_settings_override\n${text}`)).toEqual([
      `${place} ${name} Terraform ${name}`,
    ]);
  });

  test.each([
    '  value = local.brotli',
    '  brotli_level = 3',
    '  key = "brotli"',
    '  setting_id = "brotli_x"',
  ])('finds no zone setting in %s', (text) => {
    expect(usesOf(`cloudflare_zone_settings_override\n${text}`)).toEqual([]);
  });

  test.each([
    ['new cloudflare.FirewallRule("x", {})', 'firewall-rules call FirewallRule'],
    ['cloudflare.Filter("f", expression="ssl")', 'firewall-rules call Filter'],
    ['type: cloudflare:index/rateLimit:RateLimit', 'old-rate-limits call RateLimit'],
    ['type: cloudflare:WafOverride', 'old-waf call WafOverride'],
  ])('finds a resource of Pulumi: %s', (text, use) => {
    expect(usesOf(text).map((one) => one.replace(/^\S+ /u, ''))).toEqual([use]);
  });

  test('finds no resource of Pulumi whose name only begins like a deprecated one', () => {
    expect(usesOf('new cloudflare.FilterList("x"); type: cloudflare:RateLimiter')).toEqual([]);
  });
});

test('scanFile returns the first 20 places of repeated uses, and counts the others', () => {
  const scan = scanFile('access.log');
  for (let line = 0; line < 1000; line += 1) {
    scan.line('"GET /client/v4/zones/7/firewall/rules HTTP/1.1"');
  }
  const { uses, more } = scan.end();
  expect(uses).toHaveLength(20);
  expect(more).toBe(980);
});

test('scanFile keeps the columns of a line that comes in pieces', () => {
  const scan = scanFile('one.har');
  scan.line('{"a": 1,');
  scan.line('"url":"https://api.cloudflare.com/client/v4/zones/7/rate_limits"}', 8);
  expect(scan.end().uses.map(({ where }) => where.start)).toEqual([{ line: 1, column: 53 }]);
});
