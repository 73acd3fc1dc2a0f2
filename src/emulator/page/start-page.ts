import { html, raw } from 'hono/html';

import type { Description } from './describe.ts';
import { style } from './style.ts';

type Part = ReturnType<typeof html>;

/** Renders the start page: all that is needed to use the service, without scripts and without requests to other hosts. */
export function startPage(about: Description): Part {
  return html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Rulewright: the embedded service</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <h1>The embedded service</h1>
        <p class="quiet">
          It behaves as the real service does, keeps its own state, and needs no account. Its time is
          ${about.now.slice(0, 19).replace('T', ' ')} UTC.
        </p>
        ${[pointing(about), seed(about), limits(about), switches(about), faults(about), control(about), routes(about)]}
      </body>
    </html>`;
}

function pointing({ baseUrl, token }: Description): Part {
  return html`<h2>Point a client at it</h2>
    <pre><code>export CLOUDFLARE_BASE_URL=${baseUrl}
export CLOUDFLARE_API_TOKEN=${token}
rulewright plan</code></pre>
    <h3>curl</h3>
    <pre><code>curl -H "Authorization: Bearer ${token}" \\
  ${baseUrl}/zones</code></pre>
    <h3>The vendor’s SDK</h3>
    <pre><code>const client = new Cloudflare({
  apiToken: '${token}',
  baseURL: '${baseUrl}',
});</code></pre>`;
}

function seed({ accounts, zones }: Description): Part {
  const head = [text('Name'), text('Plan'), text('Account'), number('Rulesets'), text('Id')];
  const rows = [
    ...zones.map(({ name, plan, account, rulesets, id }) => [
      text(name),
      text(plan),
      text(account),
      number(rulesets),
      identifier(id),
    ]),
    ...accounts.map(({ name, plan, id }) => [
      text(name),
      text(plan),
      cell('account', 'quiet'),
      number(''),
      identifier(id),
    ]),
  ];
  return html`<h2>Accounts and zones</h2>
    ${table(head, rows)}`;
}

function limits({ limits: { requests, maxBodyBytes, rulesByPlan } }: Description): Part {
  const budget =
    requests === 'unlimited'
      ? 'As many requests as you like'
      : `${requests.requests} requests in ${requests.seconds} seconds for each user, over all tokens and keys`;
  const plans = ['free', 'pro', 'business', 'enterprise'];
  const rows = Object.entries(rulesByPlan).map(([name, byPlan]) => [
    text(name),
    ...plans.map((plan) => number(byPlan[plan] ?? '')),
  ]);
  return html`<h2>Limits</h2>
    <p>${budget}; bodies up to ${size(maxBodyBytes)}. Rules in a phase, by plan:</p>
    ${table([text('Rules'), ...plans.map(number)], rows, 'narrow')}`;
}

function switches({ switches: all }: Description): Part {
  const rows = Object.entries(all).map(([name, { value, values }]) => [
    text(html`<code>${name}</code>`),
    cell(value, 'on'),
    cell(values.filter((each) => each !== value).join(', '), 'quiet'),
  ]);
  return html`<h2>Switches</h2>
    <p>
      Where versions of the service differ, or its behaviour is not known for certain. The value in force
      comes first.
    </p>
    ${table([text('Switch'), text('Value'), text('Also possible')], rows)}`;
}

function faults({ faults: all }: Description): Part {
  const rows = all.map(({ name, kind, struck }) => [text(name), text(kind), number(struck)]);
  return html`<h2>Faults</h2>
    ${
      rows.length === 0
        ? html`<p>None: nothing goes wrong on purpose.</p>`
        : table([text('Fault'), text('Effect'), number('Struck')], rows)
    }`;
}

function control({ controlUrl, control: all }: Description): Part {
  const rows = all.map(({ method, path, body, does }) => {
    const isLink = method === 'GET' && !path.includes('<');
    return [
      cell(html`<code>${method}</code>`, 'method'),
      text(html`<code>${isLink ? html`<a href="/_emulator${path}">${path}</a>` : path}</code>`),
      text(html`${does}${body === undefined ? '' : html`<br /><code class="quiet">${body}</code>`}`),
    ];
  });
  return html`<h2>Control endpoints</h2>
    <p>Below <code>${controlUrl}</code>; they ask for no token and are not recorded.</p>
    ${table([text('Method'), text('Path'), text('Does')], rows)}`;
}

/** The content of a table cell, and its CSS class. */
interface Cell {
  readonly content: Part | string | number;
  readonly kind: string | undefined;
}

function cell(content: Cell['content'], kind: string): Cell {
  return { content, kind };
}

function text(content: Cell['content']): Cell {
  return { content, kind: undefined };
}

function number(content: string | number): Cell {
  return { content, kind: 'number' };
}

function identifier(id: string): Cell {
  return cell(html`<code>${id}</code>`, 'id');
}

function table(head: readonly Cell[], rows: readonly (readonly Cell[])[], kind?: string): Part {
  return html`<div class="scroll">
    <table${ofClass(kind)}>
      <thead>
        <tr>
          ${head.map((each) => html`<th${ofClass(each.kind)}>${each.content}</th> `)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((each) => html`<td${ofClass(each.kind)}>${each.content}</td> `)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function ofClass(kind: string | undefined): Part | string {
  return kind === undefined ? '' : html` class="${kind}"`;
}

function routes({ baseUrl, families }: Description): Part {
  const count = families.reduce((sum, { operations }) => sum + operations.length, 0);
  return html`<h2>Operations</h2>
    <p>${count} below <code>${baseUrl}</code>.</p>
    ${families.map(
      ({ name, operations }) =>
        html`<details>
          <summary>${name} <span class="quiet">${operations.length}</span></summary>
          <ul>
            ${operations.map(
              ({ method, path }) => html`<li><code>${method}</code><code>${path}</code></li> `,
            )}
          </ul>
        </details> `,
    )}`;
}

const MEBIBYTE = 1024 * 1024;

function size(bytes: number): string {
  return bytes >= MEBIBYTE ? `${Math.floor(bytes / MEBIBYTE)} MiB` : `${bytes} bytes`;
}
