import { html, raw } from 'hono/html';
import type { Description } from './describe-service.ts';

/** The style of the start page: one column, light and dark by the reader's choice, readable on a phone. */
const style = `
:root {
  color-scheme: light dark;
  --ink: #1b1f24; --quiet: #57606a; --line: #d5dae0; --paper: #ffffff; --panel: #f4f6f8; --accent: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --quiet: #9aa5b1; --line: #353c45; --paper: #14181d; --panel: #1d232a; --accent: #7ab7f5; }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem;
  font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper);
}
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .6rem; }
h3 { font-size: .95rem; margin: 1.1rem 0 .35rem; }
p { margin: 0 0 .75rem; max-width: 46rem; }
a { color: var(--accent); }
.quiet { color: var(--quiet); }
code, pre { font: .875rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre {
  margin: 0 0 .75rem; padding: .75rem .9rem; overflow-x: auto;
  background: var(--panel); border: 1px solid var(--line); border-radius: .4rem;
}
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-size: .8rem; font-weight: 600; color: var(--quiet); white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td code { overflow-wrap: anywhere; }
table.narrow { width: auto; min-width: 55%; }
td:first-child code, td.method code { white-space: nowrap; }
td.id code { white-space: nowrap; overflow-wrap: normal; }
.on { font-weight: 650; }
details { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; padding: .45rem 0; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
details ul { list-style: none; margin: 0 0 .7rem; padding: 0 0 0 1.1rem; }
details li { display: flex; gap: .8rem; }
details li code:first-child { flex: 0 0 4rem; color: var(--quiet); }
details li code:last-child { overflow-wrap: anywhere; }
`;

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
