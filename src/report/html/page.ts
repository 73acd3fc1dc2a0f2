import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { around } from './text.ts';

/** The content of a page. */
export interface PageContent {
  readonly title: string;
  /** The markup, in pieces that are produced on demand. */
  readonly body: Iterable<string>;
}

/**
 * Renders a page in one file. Its content security policy allows this style sheet and this script by their hashes and nothing else: even
 * injected markup could not load, run or send anything.
 */
export function* page({ title, body }: PageContent): Iterable<string> {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(STYLE)}'`,
    `script-src '${hashOf(SCRIPT)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  yield* around(
    (inside) =>
      html`<!DOCTYPE html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta http-equiv="Content-Security-Policy" content="${policy}" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <meta name="referrer" content="no-referrer" />
            <link rel="icon" href="data:," />
            <title>${title}</title>
            ${raw(`<style>${STYLE}</style>`)}
          </head>
          <body>
            ${inside} ${raw(`<script>${SCRIPT}</script>`)}
          </body>
        </html> `,
    body,
  );
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
