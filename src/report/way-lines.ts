import { isJsonObject } from '../model/json.ts';
import type { HeaderLine, RequestWay, WayEnd } from '../model/simulation.ts';
import type { Line } from './layout.ts';
import { line, span } from './layout.ts';
import { inlineValue } from './value.ts';

/** How a request ended, and what rules left: the last lines of an explanation. */
export function endLines(way: RequestWay, indent: number): readonly Line[] {
  const { end, errorPage, response } = way;
  const told = end === null ? 'The request reaches the origin.' : endText(end);
  return [
    { ...line(indent, span(end === null ? 'good' : 'delete', '→ '), span('strong', told)), hang: 2 },
    ...(way.urlAtOrigin === way.url ? [] : [line(indent + 2, span('label', 'url  '), way.urlAtOrigin)]),
    ...headerLines(way.changedHeaders, indent + 2),
    ...settingLines(way, indent + 2),
    ...(errorPage === null ? [] : [line(indent + 2, span('label', 'error page  '), `by ${errorPage.rule}`)]),
    ...(response === null ? [] : [line(indent + 2, span('label', 'answer  '), String(response.status))]),
    ...(response === null ? [] : headerLines(response.headers, indent + 4)),
    ...(way.skippedProducts.length === 0
      ? []
      : [line(indent + 2, span('label', 'skipped products  '), way.skippedProducts.join(', '))]),
  ];
}

function headerLines(headers: readonly HeaderLine[], indent: number): readonly Line[] {
  return headers.map(({ name, values }) => ({
    ...line(indent, span('label', `${name}: `), values.length === 0 ? 'removed' : values.join(', ')),
    hang: 4,
  }));
}

const ENDS: ReadonlyMap<string, string> = new Map([
  ['block', 'Blocked'],
  ['challenge', 'Challenged (challenge)'],
  ['js_challenge', 'Challenged (js_challenge)'],
  ['managed_challenge', 'Challenged (managed_challenge)'],
  ['redirect', 'Redirected'],
]);

function endText({ rule, action, phase, status, location }: WayEnd): string {
  const how = ENDS.get(action) ?? `Ended with ${action}`;
  const where = location === null ? '' : ` to ${location}`;
  const code = status === null ? '' : ` (${status})`;
  return `${how}${where} by ${rule} in ${phase}${code}.`;
}

function settingLines({ settings }: RequestWay, indent: number): readonly Line[] {
  return settings.map(({ name, value, rule }) => ({
    ...line(
      indent,
      span('label', `${name}  `),
      isJsonObject(value) || typeof value !== 'string' ? inlineValue(value) : value,
      span('dim', `  by ${rule}`),
    ),
    hang: 4,
  }));
}
