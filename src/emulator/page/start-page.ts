import { html, raw } from 'hono/html';

import type { Description } from './describe.ts';
import { style } from './style.ts';

type Part = ReturnType<typeof html>;

/** The start page: everything that somebody needs to use the service, without scripts and without outside requests. */
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
  return html`<h2>Accounts and zones</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Plan</th>
            <th>Account</th>
            <th class="number">Rulesets</th>
            <th>Id</th>
          </tr>
        </thead>
        <tbody>
          ${[
            ...zones.map(
              (zone) =>
                html`<tr>
                  <td>${zone.name}</td>
                  <td>${zone.plan}</td>
                  <td>${zone.account}</td>
                  <td class="number">${zone.rulesets}</td>
                  <td class="id"><code>${zone.id}</code></td>
                </tr> `,
            ),
            ...accounts.map(
              (account) =>
                html`<tr>
                  <td>${account.name}</td>
                  <td>${account.plan}</td>
                  <td class="quiet">account</td>
                  <td class="number"></td>
                  <td class="id"><code>${account.id}</code></td>
                </tr> `,
            ),
          ]}
        </tbody>
      </table>
    </div>`;
}

function limits({ limits: { requests, maxBodyBytes, rulesByPlan } }: Description): Part {
  const budget =
    requests === 'unlimited'
      ? 'As many requests as you like'
      : `${requests.requests} requests in ${requests.seconds} seconds for each user, over all tokens and keys`;
  const plans = ['free', 'pro', 'business', 'enterprise'];
  return html`<h2>Limits</h2>
    <p>${budget}; bodies up to ${size(maxBodyBytes)}. Rules in a phase, by plan:</p>
    <div class="scroll">
      <table class="narrow">
        <thead>
          <tr>
            <th>Rules</th>
            ${plans.map((plan) => html`<th class="number">${plan}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${Object.entries(rulesByPlan).map(
            ([name, byPlan]) =>
              html`<tr>
                <td>${name}</td>
                ${plans.map((plan) => html`<td class="number">${byPlan[plan] ?? ''}</td>`)}
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}

function switches({ switches: all }: Description): Part {
  return html`<h2>Switches</h2>
    <p>Where the service’s ages differ, or nothing is known for certain. The value in force comes first.</p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Switch</th>
            <th>Value</th>
            <th>Also possible</th>
          </tr>
        </thead>
        <tbody>
          ${Object.entries(all).map(
            ([name, { value, values }]) =>
              html`<tr>
                <td><code>${name}</code></td>
                <td class="on">${value}</td>
                <td class="quiet">${values.filter((each) => each !== value).join(', ')}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
}

function faults({ faults: all }: Description): Part {
  return all.length === 0
    ? html`<h2>Faults</h2>
        <p>None: nothing goes wrong on purpose.</p>`
    : html`<h2>Faults</h2>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>Fault</th>
                <th>Effect</th>
                <th class="number">Struck</th>
              </tr>
            </thead>
            <tbody>
              ${all.map(
                ({ name, kind, struck }) =>
                  html`<tr>
                    <td>${name}</td>
                    <td>${kind}</td>
                    <td class="number">${struck}</td>
                  </tr> `,
              )}
            </tbody>
          </table>
        </div>`;
}

function control({ controlUrl, control: all }: Description): Part {
  return html`<h2>Control endpoints</h2>
    <p>Below <code>${controlUrl}</code>; they ask for no token and are not recorded.</p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Method</th>
            <th>Path</th>
            <th>Does</th>
          </tr>
        </thead>
        <tbody>
          ${all.map(
            ({ method, path, body, does }) =>
              html`<tr>
                <td class="method"><code>${method}</code></td>
                <td>
                  <code
                    >${method === 'GET' && !path.includes('<') ? html`<a href="/_emulator${path}">${path}</a>` : path}</code
                  >
                </td>
                <td>${does}${body === undefined ? '' : html`<br /><code class="quiet">${body}</code>`}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`;
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
