import { phaseAfter } from '../model/index.ts';
import { CATALOGUE, FIELDS } from './language/catalogue.ts';
import { checkExpression } from './check-expression.ts';
import { finding } from './check/check-finding.ts';
import { nearestName } from './check/nearest-name.ts';
import type { Finding } from './check/check-finding.ts';
import { encodeBytes } from './values/bytes.ts';

/** Characteristics without a key in brackets (`api.md` 8.3). */
const NAMES: ReadonlySet<string> = new Set([
  'cf.colo.id',
  'cf.unique_visitor_id',
  'ip.src',
  'ip.src.asnum',
  'ip.src.country',
  'ip.src.city',
  'ip.src.continent',
  'ip.src.region',
  'ip.src.region_code',
  'ip.src.subdivision_1_iso_code',
  'ip.src.subdivision_2_iso_code',
  'ip.geoip.asnum',
  'ip.geoip.country',
  'http.host',
  'http.request.uri.path',
  'http.request.body.raw',
  'http.request.body.size',
  'cf.bot_management.ja3_hash',
  'cf.bot_management.ja4',
]);

const MAP_NAMES = ['headers', 'cookies', 'uri.args', 'body.form'].map((map) => `http.request.${map}`);
const MAPS = /^http\.request\.(headers|cookies|uri\.args|body\.form)\["((?:[^"\\]|\\.)+)"\]$/u;
const LOOKUP =
  /^lookup_json_(?:string|integer)\(\s*http\.request\.(?:body\.raw|jwt\.claims\["[^"]+"\]\[0\])\s*(?:,\s*(?:"(?:[^"\\]|\\.)*"|\d+)\s*)+\)$/u;

/** The start of a function call, such as `lower(http.request.uri.path)`. */
const CALL = /^[a-z_]\w*\(/u;

const UNKNOWN: ReadonlySet<string> = new Set(['expression/unknown-field', 'expression/unknown-function']);

/**
 * Checks a characteristic, by which a rate limit counts. One that looks like a field is not an expression but has a syntax of its own
 * (`rules-language.md` 4.1, `api.md` 8.3); one that calls a function is an expression of any type. An unknown characteristic is only a
 * warning, because the service may know more of them.
 */
export function checkCharacteristic(text: string): readonly Finding[] {
  const span = { start: 0, end: encodeBytes(text).length };
  const [, map, key = ''] = MAPS.exec(text) ?? [];
  if (map === 'headers' && /[A-Z]/u.test(key)) {
    const fix = { span, replacement: meantBy(text) };
    return [
      finding('expression/header-case', { message: `a header is never called ${key} here`, span, fix }),
    ];
  }
  if (isKnown(text)) {
    return oldName(text);
  }
  const message = `${text} is not a known characteristic of rate limits`;
  if (CALL.test(text)) {
    const { findings } = checkExpression(text, { use: 'value', phase: phaseAfter('rate-limits') });
    const unknown = findings.find(({ code }) => UNKNOWN.has(code));
    return unknown === undefined || !isOneCall(text)
      ? findings.filter(({ code }) => code !== 'expression/value-type')
      : [
          finding('expression/characteristic', {
            message,
            span: unknown.span,
            hint: unknown.hint ?? unknown.message,
          }),
        ];
  }
  const meant = meantBy(text);
  if (isKnown(meant)) {
    const fix = { span, replacement: meant };
    return [finding('expression/characteristic', { message, span, hint: `use ${meant}`, fix })];
  }
  const near = nearestForm(meant);
  const hint = CATALOGUE.fields.has(text)
    ? 'it is a field, but rate limits are not known to count by it'
    : near === undefined
      ? 'characteristics are names such as ip.src, or http.request.headers["name"]'
      : `did you mean ${near}?`;
  return [finding('expression/characteristic', { message, span, hint })];
}

/** Whether the text is exactly one complete call. An unclosed call, or text after it, is a mistake whatever functions the service knows. */
function isOneCall(text: string): boolean {
  const brackets = text.replaceAll(/"(?:\\.|[^"\\])*"/gsu, '');
  let depth = 0;
  for (const { 0: bracket, index } of brackets.matchAll(/[()[\]]/gu)) {
    depth += bracket === '(' || bracket === '[' ? 1 : -1;
    if (depth === 0) {
      return index === brackets.length - 1 && !brackets.includes('"');
    }
  }
  return false;
}

function isKnown(text: string): boolean {
  return MAPS.test(text) || NAMES.has(text) || LOOKUP.test(text);
}

/**
 * Rewrites a field as expressions write it into the form of a characteristic: names of fields and headers in lower case, the key in double
 * quotes, no index after it, no blanks around it.
 */
function meantBy(text: string): string {
  const [, name = text, key] = /^([^["]*)\[["'](.*)["']\](?:\[(?:\d+|\*)\])?$/u.exec(text.trim()) ?? [];
  const field = name.trim().toLowerCase();
  return key === undefined ? field : `${field}["${field.endsWith('.headers') ? key.toLowerCase() : key}"]`;
}

/** Returns the known characteristic that a mistyped one most likely means. */
function nearestForm(text: string): string | undefined {
  const [, name = '', item = ''] = /^([^[]*)(.*)$/su.exec(text) ?? [];
  const near = nearestName(name, item === '' ? NAMES : MAP_NAMES);
  return near === undefined ? undefined : meantBy(`${near}${item}`);
}

function oldName(text: string): readonly Finding[] {
  const replacement = FIELDS.get(text)?.replacement;
  if (replacement === undefined) {
    return [];
  }
  const span = { start: 0, end: text.length };
  const message = `${text} is the old name of ${replacement}`;
  const fix = { span, replacement };
  return [finding('expression/deprecated-field', { message, span, hint: `use ${replacement}`, fix })];
}
