import { objectOf } from '../../data/index.ts';
import { duration, quoted } from '../../text/index.ts';
import { readCacheSettings, readQueryNames, readStatusTimes } from '../../model/index.ts';
import type { RuleContent, StatusTime } from '../../model/index.ts';
import { isWithin } from './conditions.ts';
import { everyRequestIn } from './every-request.ts';
import type {
  EffectDirection,
  NamedEffect,
  Parameter,
  ParameterEffects,
  Readings,
  SecurityEffect,
} from './security-effect.ts';
import { always, each, harmless, ladder } from './security-effect.ts';

/** Extensions of files that the service caches, whatever a rule says (its documentation, default cache behaviour). */
const EXTENSIONS =
  '7z apk avi avif bin bmp bz2 class css csv dmg doc docx ejs eot eps exe flac gif gz ico iso jar jpeg jpg js mid midi mkv mp3 mp4 ogg otf pdf pict pls png ppt pptx ps rar svg svgz swf tar tif tiff ttf webm webp woff woff2 xls xlsx zip zst'.split(
    ' ',
  );

/** Matches files that the service caches anyway. */
const FILES = [
  `http.request.uri.path.extension in {${EXTENSIONS.map((extension) => `"${extension}"`).join(' ')}}`,
  ...EXTENSIONS.map((extension) => `ends_with(http.request.uri.path, ".${extension}")`),
].join(' or ');

/** Whether a condition provably matches only files that the service caches anyway. */
export function isOfFiles(expression: string): boolean {
  return isWithin(expression, FILES);
}

/** Wraps the reading of a setting that may cache one visitor's page: it does not matter when nothing is cached. */
function ofCached(reading: ParameterEffects): ParameterEffects {
  return moot(reading, ({ action_parameters: parameters = {} }) => parameters['cache'] === false);
}

/** As `ofCached`; it does not matter for static files (`FILES`) either, as long as the origin may still say that one of them is private. */
function ofPages(reading: ParameterEffects): ParameterEffects {
  return moot(ofCached(reading), ({ expression }) => isOfFiles(expression));
}

function moot(reading: ParameterEffects, isMoot: (content: RuleContent) => boolean): ParameterEffects {
  return (value, parameter) =>
    reading(value, parameter).map(([name, effect]): NamedEffect => [
      name,
      effect.direction === 'permits' && isMoot(parameter.content)
        ? { ...effect, direction: 'none' }
        : // Whether a page differs from visitor to visitor, the plan does not know.
          { ...effect, isDoubtful: effect.direction === 'permits' },
    ]);
}

const caching: ParameterEffects = (value, { path }) => [
  value === false
    ? [
        path,
        {
          direction: 'protects',
          label: 'a cache bypass',
          verb: 'keeps pages out of the cache',
          value,
          height: 1,
        },
      ]
    : [
        path,
        {
          direction: 'permits',
          label: 'caching',
          verb: 'caches pages, which visitors then share',
          value,
          height: 0,
        },
      ],
];

/** Reads where the time in the cache comes from. A time of the rule counts even where the origin says that an answer is private. */
const timeSource: ParameterEffects = (value, parameter) =>
  ladder(['override_origin', 'respect_origin', 'bypass_by_default'], 'respect_origin')(value, parameter).map(
    ([name, effect]): NamedEffect => [
      name,
      value === 'override_origin'
        ? {
            ...effect,
            verb: 'overrides the cache times of the origin, even where it says `private`',
            ...cachingAll(readCacheSettings(parameter.content.action_parameters).edgeSeconds, parameter),
          }
        : effect,
    ],
  );

/** Tells a time in the cache that every answer gets, so that all visitors share the pages of one. */
function cachingAll(
  seconds: number | undefined,
  { content, context }: Parameter,
): Pick<SecurityEffect, 'toAll'> {
  const every =
    readCacheSettings(content.action_parameters).caches === true && seconds !== 0
      ? everyRequestIn(content, context)
      : undefined;
  const time = seconds === undefined ? '' : ` for ${duration(seconds)}`;
  return every === undefined
    ? {}
    : { toAll: `caches the answer to ${every}${time}, even where the origin marks it private` };
}

/** Reads cache times by status, which apply whatever the origin says: above 0 they keep an answer, otherwise they keep it out. */
const statusTimes: ParameterEffects = (value, parameter) =>
  readStatusTimes(value)
    .filter(isOfPages)
    .map(({ from, to, seconds = 0 }): NamedEffect => {
      const { path } = parameter;
      const range = from === to ? `status ${from}` : `status ${from} to ${to}`;
      return seconds > 0
        ? [
            `${path} ${range}`,
            {
              direction: 'permits',
              label: `a time in the cache for ${range}, whatever the origin says`,
              value: true,
              height: 0,
              ...(from <= OK && OK <= to ? cachingAll(seconds, parameter) : {}),
            },
          ]
        : [
            `${path} ${range}`,
            { direction: 'protects', label: `a cache bypass for ${range}`, value: false, height: 1 },
          ];
    });

/** The status of a page. */
const OK = 200;

/** Whether the status, or any of the range, is that of a page or a redirect rather than an error. */
function isOfPages({ from, to }: StatusTime): boolean {
  return from < 400 && to >= 200;
}

/** Reads which parts of the query tell pages apart; all of them when a rule does not say. */
const includedQuery: ParameterEffects = (value, { path }) => {
  const names = readQueryNames(value);
  return names === 'all'
    ? []
    : [
        inKey(path, 'permits', 'a cache key with a part of the query'),
        ...names.map((part) =>
          inKey(`${path} ${part}`, 'protects', `${quoted(part)} of the query in the cache key`),
        ),
      ];
};

/** Parameters by which advertisers and newsletters follow visitors. Pages are the same without them. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|mc_cid|mc_eid|_gl|_ga|_hsenc|_hsmi|igshid|li_fat_id|srsltid|ttclid|twclid|yclid)$/;

const excludedQuery: ParameterEffects = (value, { path }) => {
  const names = readQueryNames(value);
  return names === 'all'
    ? [inKey(path, 'permits', 'a cache key without the query')]
    : names
        .filter((part) => !TRACKING.test(part))
        .map((part) =>
          inKey(`${path} ${part}`, 'permits', `a cache key without ${quoted(part)} of the query`),
        );
};

function inKey(name: string, direction: EffectDirection, label: string): NamedEffect {
  return [name, { direction, label, value: true }];
}

function inCacheKey(kind: string): ParameterEffects {
  return each('protects', (name) => `the ${kind} ${name} in the cache key`);
}

/** The parameters of cache rules (api.md 5.11). */
export const CACHE_SETTINGS: Readings = {
  cache: ofPages(caching),
  edge_ttl: {
    mode: ofCached(timeSource),
    status_code_ttl: ofCached(statusTimes),
    ...harmless('default'),
  },
  cache_key: {
    cache_deception_armor: ladder([false, true], false),
    custom_key: {
      cookie: { include: inCacheKey('cookie'), check_presence: inCacheKey('presence of cookie') },
      header: {
        include: inCacheKey('header'),
        check_presence: inCacheKey('presence of header'),
        contains: always('protects', 'values of headers in the cache key'),
        exclude_origin: ofPages(ladder([true, false], false)),
      },
      query_string: { include: ofPages(includedQuery), exclude: ofPages(excludedQuery) },
      user: {
        device_type: ladder([false, true], false),
        geo: ladder([false, true], false),
        lang: ladder([false, true], false),
      },
      host: { resolved: ofPages(ladder([true, false], false)) },
    },
    ...harmless('cache_by_device_type', 'ignore_query_strings_order'),
  },
  origin_cache_control: ladder([false, true], true),
  strip_set_cookie: ofCached(ladder([true, false], false)),
  ...harmless(
    'browser_ttl',
    'cache_reserve',
    'origin_range_requests',
    'origin_error_page_passthru',
    'read_timeout',
    'respect_strong_etags',
    'serve_stale',
    'strip_etags',
    'strip_last_modified',
  ),
};

/** Reads a directive that keeps pages out of shared caches, or lets them in. */
function directive(set: EffectDirection, removed: EffectDirection): ParameterEffects {
  return (value, { path }) => {
    const { operation, qualifiers } = objectOf(value);
    // With qualifiers the directive concerns only some headers.
    const direction = operation === 'remove' ? removed : qualifiers === undefined ? set : 'both';
    const label = `${operation === 'remove' ? 'an answer without' : 'the directive'} ${path}`;
    return [[path, { direction, label, value: direction }]];
  };
}

/** The cache control directives (api.md 5.12). */
export const CACHE_CONTROL: Readings = {
  private: directive('protects', 'permits'),
  'no-store': directive('protects', 'permits'),
  'no-cache': directive('protects', 'permits'),
  public: directive('permits', 'none'),
  's-maxage': directive('permits', 'none'),
  // It takes the effect of `no-store` away (RFC 9111, 5.2.2.3).
  'must-understand': directive('both', 'none'),
  ...harmless(
    'immutable',
    'max-age',
    'must-revalidate',
    'no-transform',
    'proxy-revalidate',
    'stale-if-error',
    'stale-while-revalidate',
  ),
};
