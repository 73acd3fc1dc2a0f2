import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

import type { EmulatedService } from '../call/service.ts';
import { describeService } from './describe-service.ts';
import { startPage } from './start-page.ts';

/** Answers `GET /_emulator/` with a description of the service, as a page or as JSON, depending on what the client accepts. */
export function describeItself(service: EmulatedService): (c: Context) => Response | Promise<Response> {
  return (c) => {
    const about = describeService(service, new URL(c.req.url).origin);
    const wanted = accepts(c, {
      header: 'Accept',
      supports: ['text/html', 'application/json'],
      default: 'text/html',
    });
    if (wanted === 'application/json') {
      return c.json(about);
    }
    // The page loads nothing, runs no script and stands in no frame, whatever the names in a seed contain.
    c.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    return c.html(startPage(about));
  };
}
