import {
  foreignHost,
  linkParts,
  mayCover,
  NOT_UNDERSTOOD,
  resourceParts,
  styleParts,
} from './page-addresses.ts';
import type { EffectContext } from './security-effect.ts';

/**
 * Finds what a page does besides being read, in words: `a script`, `a form`. Empty for plain text, JSON, and html of which all is known to be
 * inert. Only a strict part of html is understood; anything else is told too, since browsers repair what they do not.
 */
export function activeParts(content: string, type: string, context: EffectContext): readonly string[] {
  const { media, isUtf8 } = typeOf(type);
  if (INERT_TYPE.test(media)) {
    return [];
  }
  const isReadable = isUtf8 && !CONTROL.test(content);
  if (/[/+]xml$/.test(media)) {
    return !isReadable || XML_ACTIVE.test(content.replace(XML_DECLARATION, ''))
      ? ['content that browsers may run']
      : [];
  }
  return isReadable ? [...partsOf(content, context)] : [NOT_UNDERSTOOD];
}

/** Reads a `Content-Type`. Of one that is not in order browsers may take any part, so it counts as unknown. */
function typeOf(type: string): { readonly media: string; readonly isUtf8: boolean } {
  const [, media = '', parameters = ''] =
    /^[\t ]*([^\s;,]+)[\t ]*((?:;[^,]*)?)$/.exec(type.toLowerCase()) ?? [];
  return {
    media,
    isUtf8: !parameters.includes('charset') || /^;[\t ]*charset="?utf-?8"?[\t ]*$/.test(parameters),
  };
}

/** Types that browsers show as they are. What is of a type that they do not know may become html (MIME Sniffing standard). */
const INERT_TYPE = /^(?:text\/(?:plain|csv|css)|application\/(?:[\w.-]+\+)?json)$/;
/** The beginning of XML, in UTF-8. */
const XML_DECLARATION =
  /^<\?xml version=["']1\.[01]["'](?: encoding=["']utf-?8["'])?(?: standalone=["'](?:yes|no)["'])? ?\?>/i;
/** What gives XML its own elements that run, a style sheet, entities or another encoding. */
const XML_ACTIVE = /xmlns|<\?|<!|:script/i;
/** Characters by which browsers may read a page in another encoding than it was written in, or stop reading it (Encoding standard). */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/;

/** Elements that show something, and nothing else. */
const INERT_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'a abbr address article aside b bdi bdo blockquote body br caption center cite code col colgroup dd del details dfn div dl dt em ' +
    'figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hgroup hr html i img ins kbd li link main mark meta nav ol p picture pre q ' +
    's samp section small source span strong style sub summary sup table tbody td tfoot th thead time title tr tt u ul var wbr ' +
    'svg circle clippath defs desc ellipse g line lineargradient mask path pattern polygon polyline radialgradient rect stop symbol text tspan'
  ).split(' '),
);

/** Elements that act, in words. */
const ACTIVE_ELEMENTS: Readonly<Record<string, string>> = {
  script: 'a script',
  form: 'a form',
  input: 'a form',
  button: 'a form',
  select: 'a form',
  textarea: 'a form',
  iframe: 'a frame',
  frame: 'a frame',
  frameset: 'a frame',
  object: 'a frame',
  embed: 'a frame',
  base: 'another base of its addresses',
};

// White space is what the HTML standard calls so, which is less than a regular expression does.
const OPENING = /<([a-z][a-z0-9]*)/iy;
const ATTRIBUTE =
  /[\t\n\f\r ]+([\w:.@-]+)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r "'=<>`]+)))?/y;
const CLOSING = /[\t\n\f\r ]*\/?>/y;
/** Text, ends of elements, comments and the document type. */
const PASSIVE = /[^<]+|<\/[a-z][a-z0-9]*[\t\n\f\r ]*>|<!--(?!-?>)(?:(?!--)[^>])*-->|<!doctype\b[^<>]*>/iy;
/** What stands in elements whose content is no html, up to their end. */
const RAW: Readonly<Record<string, RegExp>> = {
  style: /[^<]*(?=<\/style[\t\n\f\r ]*>)/iy,
  title: /[^<]*(?=<\/title[\t\n\f\r ]*>)/iy,
  script: /[^]*?(?=<\/script|$)/iy,
};

/** What stands in a link that is as large as its words. */
const LINK_TEXT = /[^<]*(?:<\/?(?:b|code|em|i|small|span|strong|u)>[^<]*)*(?=<\/a[\t\n\f\r ]*>)/iy;

function partsOf(html: string, context: EffectContext): ReadonlySet<string> {
  const found = new Set<string>();
  /** Hosts outside of the zone, and whether a link to them may be larger than its text. */
  const links = new Map<string, boolean>();
  let isMoved = false;
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(html);
    at += match?.[0].length ?? 0;
    return match;
  };
  while (at < html.length) {
    if (take(PASSIVE) !== null) {
      continue;
    }
    const name = take(OPENING)?.[1]?.toLowerCase();
    if (name === undefined) {
      return found.add(NOT_UNDERSTOOD);
    }
    const attributes = new Map<string, string>();
    for (let one = take(ATTRIBUTE); one !== null; one = take(ATTRIBUTE)) {
      const [, given = '', double, single, bare = ''] = one;
      const key = given.toLowerCase();
      if (attributes.has(key)) {
        return found.add(NOT_UNDERSTOOD);
      }
      attributes.set(key, double ?? single ?? bare);
    }
    const raw = Object.hasOwn(RAW, name) ? RAW[name] : undefined;
    const text = take(CLOSING) === null ? undefined : raw === undefined ? '' : take(raw)?.[0];
    if (text === undefined) {
      return found.add(NOT_UNDERSTOOD);
    }
    for (const part of elementParts(name, attributes, context)) {
      found.add(part);
    }
    const style = name === 'style' ? text : (attributes.get('style') ?? '');
    for (const part of name === 'style' ? styleParts(text, context) : []) {
      found.add(part);
    }
    const host = name === 'a' ? foreignHost(attributes.get('href') ?? '', context) : undefined;
    if (host === undefined) {
      isMoved ||= mayCover(style);
    } else {
      links.set(host, links.get(host) === true || style !== '' || take(LINK_TEXT) === null);
    }
  }
  for (const [host, mayBeWide] of links) {
    if (mayBeWide || isMoved) {
      found.add(`a link to ${host} that may cover it`);
    }
  }
  return found;
}

function elementParts(
  name: string,
  attributes: ReadonlyMap<string, string>,
  context: EffectContext,
): readonly string[] {
  const active = Object.hasOwn(ACTIVE_ELEMENTS, name) ? ACTIVE_ELEMENTS[name] : undefined;
  if (active !== undefined) {
    return [active];
  }
  if (!INERT_ELEMENTS.has(name)) {
    return [NOT_UNDERSTOOD];
  }
  const isMisread = attributes.has('http-equiv') && !PRAGMA_CONTENT.test(attributes.get('content') ?? '');
  const parts = [...attributes].flatMap(([key, value]) => attributeParts({ name, key, value }, context));
  return isMisread ? [...parts, NOT_UNDERSTOOD] : parts;
}

/** What a `meta` may say in place of a header: with a set of characters only UTF-8. */
const PRAGMA_CONTENT = /^(?:(?!charset)[^&])*$|^text\/html;[\t ]*charset=utf-?8$/iu;
/** Attributes of SVG that hold styles. */
const PRESENTATION = /^(?:clip-path|color-profile|content|cursor|fill|filter|marker.*|mask.*|stroke)$/;

interface Attribute {
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

function attributeParts({ name, key, value }: Attribute, context: EffectContext): readonly string[] {
  if (key.startsWith('on')) {
    return ['an event handler'];
  }
  switch (key) {
    case 'style':
      return styleParts(value, context);
    case 'http-equiv':
      return /^(?:content-type|content-language|x-ua-compatible)$/iu.test(value.trim())
        ? []
        : [/refresh/iu.test(value) ? 'a jump to another page' : NOT_UNDERSTOOD];
    case 'href':
      return name === 'a' ? linkParts(value) : resourceParts(value, context);
    case 'src':
      return resourceParts(value, context);
    case 'charset':
      return /^utf-?8$/iu.test(value) ? [] : [NOT_UNDERSTOOD];
    case 'srcset':
    case 'imagesrcset':
    case 'attributionsrc':
    case 'background':
    case 'ping':
    case 'xlink:href':
    case 'srcdoc':
    case 'shadowrootmode':
      return [NOT_UNDERSTOOD];
    default:
      return (PRESENTATION.test(key) && name !== 'meta') || /url\s*\(/iu.test(value)
        ? styleParts(value, context)
        : [];
  }
}
