import { isOfZone } from './redirect-effects.ts';
import type { EffectContext } from './security-effect.ts';

export const NOT_UNDERSTOOD = 'html that is not understood';

/** Whether an address hides its scheme behind references to characters or white space. */
function isPlain(address: string): boolean {
  return !/&(?!amp;)|[\0- ]/iu.test(address);
}

/** An address by itself, of this site; one with two slashes or backslashes at its beginning names a host. */
const RELATIVE = /^(?![/\\]{2})[^:]*$|^(?![/\\]{2})[^:/?#]*[/?#]/u;

function hostOf(address: string): string | undefined {
  return /^(?:https?:)?\/\/([a-z0-9.-]+)(?::\d+)?(?:[/?#]|$)/iu.exec(address)?.[1]?.toLowerCase();
}

export function linkParts(given: string): readonly string[] {
  const address = given.trim();
  return isPlain(address) && (RELATIVE.test(address) || /^(?:https?:|\/\/|mailto:|tel:)/iu.test(address))
    ? []
    : ['a link that browsers may run'];
}

/** Returns where a link leads that leaves the zone, in words. */
export function foreignHost(given: string, context: EffectContext): string | undefined {
  const address = given.trim();
  if (RELATIVE.test(address) || /^(?:mailto|tel):/iu.test(address)) {
    return undefined;
  }
  const host = hostOf(address);
  return host === undefined ? 'another host' : isOfZone(host, context.scope) ? undefined : host;
}

export function resourceParts(given: string, context: EffectContext): readonly string[] {
  const address = given.trim();
  if (!isPlain(address)) {
    return [NOT_UNDERSTOOD];
  }
  if (RELATIVE.test(address) || /^data:image\//iu.test(address)) {
    return [];
  }
  const host = hostOf(address);
  return host === undefined
    ? [NOT_UNDERSTOOD]
    : isOfZone(host, context.scope)
      ? []
      : [`resources of ${host}`];
}

/** What loads without `url()`, or hides that it does. */
const LOADS = /@import|expression\s*\(|image(?:-set)?\s*\(|src\s*\(|-moz-binding|behavior\s*:|&(?!amp;)|\\/iu;
/** An address of a style, without anything that could end it elsewhere than here. */
const STYLE_ADDRESS = /[\t\n\f\r ]*(?:"([^"'()\s]*)"|'([^"'()\s]*)'|([^"'()\s]+))[\t\n\f\r ]*\)/y;

/** Reads a style, once from its beginning to its end. */
export function styleParts(css: string, context: EffectContext): readonly string[] {
  if (LOADS.test(css)) {
    return [NOT_UNDERSTOOD];
  }
  const found = new Set<string>();
  for (const { index, 0: start } of css.matchAll(/url\s*\(/giu)) {
    STYLE_ADDRESS.lastIndex = index + start.length;
    const match = STYLE_ADDRESS.exec(css);
    if (match === null) {
      return [...found, NOT_UNDERSTOOD];
    }
    const [, double, single, bare = ''] = match;
    for (const part of styleResource(double ?? single ?? bare, context)) {
      found.add(part);
    }
  }
  return [...found];
}

function styleResource(address: string, context: EffectContext): readonly string[] {
  return /^data:(?:font|application\/(?:x-)?font)/iu.test(address) ? [] : resourceParts(address, context);
}

/** Whether a style may put an element over others. */
export function mayCover(css: string): boolean {
  return /(?:^|[^-\w]|-webkit-)(?:position|transform|scale|zoom)(?![\w])/iu.test(css);
}
