import { flag, object, word } from '../../decode/shape.ts';
import type { ObjectShape } from '../../decode/shape.ts';

const SWITCHES = [
  'automatic_https_rewrites',
  'bic',
  'content_converter',
  'email_obfuscation',
  'fonts',
  'hotlink_protection',
  'mirage',
  'opportunistic_encryption',
  'redirects_for_ai_training',
  'rocket_loader',
  'server_side_excludes',
  'sxg',
];

const ONLY_TRUE = [
  'disable_apps',
  'disable_pay_per_crawl',
  'disable_railgun',
  'disable_rum',
  'disable_zaraz',
];

/** Zone settings for matching requests (api.md 5.10), including deprecated and removed settings. */
export const setConfig: ObjectShape = object(
  {
    ...Object.fromEntries(SWITCHES.map((name) => [name, flag()])),
    ...Object.fromEntries(ONLY_TRUE.map((name) => [name, flag(true)])),
    autominify: object({ css: flag(), html: flag(), js: flag() }),
    polish: word('off', 'lossless', 'lossy', 'webp'),
    request_body_buffering: word('none', 'standard', 'full'),
    response_body_buffering: word('none', 'standard'),
    security_level: word('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
    ssl: word('off', 'flexible', 'full', 'strict', 'origin_pull'),
  },
  { some: 'any' },
);
