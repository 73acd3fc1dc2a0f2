import { isOfZone } from './redirect-effects.ts';
import type { Stand } from './security-effect.ts';

/**
 * Finds what a page does besides being read, in words: `a script`, `a form`. Empty for plain text, JSON, and html of which all is known to be
 * inert. Only a strict part of html is understood; anything else is told too, since browsers repair what they do not.
 */
export function activeParts(content: string, type: string, stand: Stand): readonly string[] {
  const [media = ''] = type.trim().toLowerCase().split(/[\s;]/u);
  if (INERT_TYPE.test(media)) {
    return [];
  }
  if (/[/+]xml$/.test(media)) {
    return XML_ACTIVE.test(content) ? ['content that browsers may run'] : [];
  }
  return [...new Set(partsOf(content, stand))];
}

/** Types that browsers show as they are. What is of a type that they do not know may become html (MIME Sniffing standard). */
const INERT_TYPE = /^(?:text\/(?:plain|csv|css)|application\/(?:[\w.-]+\+)?json)$/;
/** What gives XML its own elements that run, a style sheet or entities. */
const XML_ACTIVE = /xmlns|<\?xml-stylesheet|<!|:script/i;

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

const NOT_UNDERSTOOD = 'html that is not understood';
const OPENING = /<([a-z][a-z0-9]*)/iy;
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;
const CLOSING = /\s*\/?>/y;
/** Text, ends of elements, comments and the document type. */
const PASSIVE = /[^<]+|<\/[a-z][a-z0-9]*\s*>|<!--(?!-?>)(?:(?!--)[^>])*-->|<!doctype\b[^<>]*>/iy;
/** What stands in elements whose content is no html. */
const RAW: Readonly<Record<string, RegExp>> = {
  style: /[^<]*/y,
  title: /[^<]*/y,
  script: /[^]*?(?=<\/script|$)/iy,
};

function partsOf(html: string, stand: Stand): readonly string[] {
  const found: string[] = [];
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
      return [...found, NOT_UNDERSTOOD];
    }
    const attributes = new Map<string, string>();
    for (let one = take(ATTRIBUTE); one !== null; one = take(ATTRIBUTE)) {
      const [, key = '', double, single, bare = ''] = one;
      attributes.set(key.toLowerCase(), double ?? single ?? bare);
    }
    found.push(...elementParts(name, attributes, stand));
    if (take(CLOSING) === null) {
      return [...found, NOT_UNDERSTOOD];
    }
    const raw = RAW[name];
    const text = raw === undefined ? '' : (take(raw)?.[0] ?? '');
    found.push(...(name === 'style' ? styleParts(text, stand) : []));
  }
  return found;
}

function elementParts(
  name: string,
  attributes: ReadonlyMap<string, string>,
  stand: Stand,
): readonly string[] {
  const active = Object.hasOwn(ACTIVE_ELEMENTS, name) ? ACTIVE_ELEMENTS[name] : undefined;
  if (active !== undefined) {
    return [active];
  }
  return INERT_ELEMENTS.has(name)
    ? [...attributes].flatMap(([key, value]) => attributeParts({ name, key, value }, stand))
    : [NOT_UNDERSTOOD];
}

interface Attribute {
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

function attributeParts({ name, key, value }: Attribute, stand: Stand): readonly string[] {
  if (key.startsWith('on')) {
    return ['an event handler'];
  }
  switch (key) {
    case 'style':
      return styleParts(value, stand);
    case 'http-equiv':
      return /^(?:content-type|content-language|x-ua-compatible)$/iu.test(value.trim())
        ? []
        : [/refresh/iu.test(value) ? 'a jump to another page' : NOT_UNDERSTOOD];
    case 'href':
      return name === 'a' ? linkParts(value) : resourceParts(value, stand);
    case 'src':
      return resourceParts(value, stand);
    case 'srcset':
    case 'background':
    case 'ping':
    case 'xlink:href':
    case 'srcdoc':
    case 'shadowrootmode':
      return [NOT_UNDERSTOOD];
    default:
      return [];
  }
}

/** Whether an address hides its scheme behind references to characters or white space. */
function isPlain(address: string): boolean {
  return !/&(?!amp;)|[\0- ]/iu.test(address);
}

/** An address by itself, of this site; one with two slashes or backslashes at its beginning names a host. */
const RELATIVE = /^(?![/\\]{2})[^:]*$|^(?![/\\]{2})[^:/?#]*[/?#]/u;

function linkParts(given: string): readonly string[] {
  const address = given.trim();
  return isPlain(address) && (RELATIVE.test(address) || /^(?:https?:|\/\/|mailto:|tel:)/iu.test(address))
    ? []
    : ['a link that browsers may run'];
}

function resourceParts(given: string, stand: Stand): readonly string[] {
  const address = given.trim();
  if (!isPlain(address)) {
    return [NOT_UNDERSTOOD];
  }
  if (RELATIVE.test(address) || /^data:image\//iu.test(address)) {
    return [];
  }
  const host = /^(?:https?:)?\/\/([a-z0-9.-]+)(?::\d+)?(?:[/?#]|$)/iu.exec(address)?.[1]?.toLowerCase();
  return host === undefined ? [NOT_UNDERSTOOD] : isOfZone(host, stand.scope) ? [] : [`resources of ${host}`];
}

function styleParts(css: string, stand: Stand): readonly string[] {
  if (/@import|expression\s*\(|image-set\s*\(|src\s*\(|-moz-binding|behavior\s*:|&(?!amp;)|\\/iu.test(css)) {
    return [NOT_UNDERSTOOD];
  }
  const addresses = [...css.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))\s*\)/giu)];
  return addresses.length === (css.match(/url\s*\(/giu) ?? []).length
    ? addresses.flatMap(([, double, single, bare = '']) => styleResource(double ?? single ?? bare, stand))
    : [NOT_UNDERSTOOD];
}

function styleResource(address: string, stand: Stand): readonly string[] {
  return /^data:(?:font|application\/(?:x-)?font)/iu.test(address) ? [] : resourceParts(address, stand);
}
