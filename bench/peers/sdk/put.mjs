// What a script on the vendor's TypeScript SDK does: put.mjs plan|apply DESIRED.json
import { readFileSync } from 'node:fs';
import Cloudflare from 'cloudflare';

const PHASE = 'http_request_firewall_custom';
const SAID = ['ref', 'description', 'action', 'expression', 'enabled'];

const [mode = '', path = ''] = process.argv.slice(2);
const client = new Cloudflare();
const said = (/** @type {readonly any[]} */ rules) =>
  JSON.stringify(rules.map((rule) => SAID.map((key) => rule[key])));

for (const [name, rules] of Object.entries(JSON.parse(readFileSync(path, 'utf8')))) {
  const { result } = await client.zones.list({ name });
  const zone_id = result[0]?.id ?? '';
  const live = await client.rulesets.phases.get(PHASE, { zone_id });
  if (said(live.rules) === said(rules)) {
    continue;
  }
  console.log(name, 'differs');
  if (mode === 'apply') {
    await client.rulesets.phases.update(PHASE, { zone_id, rules });
  }
}
