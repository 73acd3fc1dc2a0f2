import type { MiddlewareHandler } from 'hono';

/** The content types that a form, or a script of another site, may send without asking first. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/**
 * Refuses writes that a page of another site can make a browser send: the control endpoints ask for no token. Clients other than
 * browsers send neither `Origin` nor `Sec-Fetch-Site`, so they only have to call JSON by its name.
 */
export const refuseCrossSite: MiddlewareHandler = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') {
    return next();
  }
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site') ?? 'none';
  const own = new URL(c.req.url).host;
  if ((origin !== undefined && hostOf(origin) !== own) || !['same-origin', 'none'].includes(site)) {
    return c.json({ error: 'a page of another site must not steer this service' }, 403);
  }
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && FORM_TYPES.includes(type)) {
    return c.json({ error: `send JSON as application/json, not as ${type}` }, 415);
  }
  return next();
};

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
