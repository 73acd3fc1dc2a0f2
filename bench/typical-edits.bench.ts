// Requests of typical edits on a ruleset of a hundred rules, counted by the embedded service: ours against a script that PUTs the whole ruleset
// with the official SDK, one that reads before and checks the version after, and one that works rule by rule and knows no moves. Also what becomes
// of the rules' ids, and of an edit that somebody else makes between a tool's last read and its write. At the end one rule is changed in each of 1,
// 10 and 100 zones at once.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Cloudflare from 'cloudflare';
import { apply } from '../src/app/apply.ts';
import { plan } from '../src/app/plan-project.ts';
import { NO_SECRETS } from '../src/app/project/project-secrets.ts';
import { runTime } from '../src/app/run/time.ts';
import { runBudget } from '../src/app/service/run-budget.ts';
import type { ServiceOptions } from '../src/app/service/service-options.ts';
import { scopeId, startEmulator } from '../src/emulator/index.ts';
import { printTable } from './table.ts';

const RULES = 100;
const PHASE = 'http_request_firewall_custom';
const zoneName = (index: number): string => `shop-${index}.example`;
/** The rule that somebody else switches off in between; no edit touches it. */
const FOREIGN = 'rule-50';

interface Rule {
  readonly ref: string;
  readonly action: 'block';
  readonly expression: string;
  readonly description: string;
  readonly enabled: boolean;
}

/** An edit as a tool that works rule by rule sees it, and the whole list that it leads to. */
interface Edit {
  readonly name: string;
  readonly after: readonly Rule[];
  readonly changed?: readonly Rule[];
  readonly addedFirst?: Rule;
  readonly movedLast?: Rule;
}

const rule = (index: number, text = 'first'): Rule => ({
  ref: `rule-${index}`,
  action: 'block',
  expression: `(http.host eq "shop.example" and starts_with(http.request.uri.path, "/${text}/${index}"))`,
  description: `Rule ${index}`,
  enabled: true,
});
const before = Array.from({ length: RULES }, (_, index) => rule(index));

function changing(name: string, indexes: readonly number[]): Edit {
  const changed = indexes.map((index) => rule(index, 'second'));
  return { name, changed, after: before.map((old) => changed.find(({ ref }) => ref === old.ref) ?? old) };
}

const moved = rule(20);
const EDITS: readonly Edit[] = [
  changing('one changed', [20]),
  { name: 'one added at the top', addedFirst: rule(RULES), after: [rule(RULES), ...before] },
  {
    name: 'one moved to the end',
    movedLast: moved,
    after: [...before.filter(({ ref }) => ref !== moved.ref), moved],
  },
  changing(
    'ten changed',
    Array.from({ length: 10 }, (_, index) => index * 10 + 3),
  ),
];

/** A separate service with the rules from before the edit. */
interface World {
  readonly baseUrl: string;
  readonly token: string;
  readonly sdk: Cloudflare;
  /** The names of the zones. */
  readonly zones: readonly string[];
  readonly folder: string;
}

type Between = () => Promise<void>;
/** Carries out an edit, and returns whether it reported a conflict; calls `between` after the last read and before the first write. */
type Tool = (world: World, edit: Edit, between: Between) => Promise<boolean>;

const quiet = (): void => undefined;

function writeProject(folder: string, zones: readonly string[], rules: readonly Rule[]): void {
  mkdirSync(join(folder, 'zones'), { recursive: true });
  writeFileSync(join(folder, 'rulewright.yaml'), 'version: 1\nfiles: [zones/*.yaml]\n');
  for (const zone of zones) {
    // JSON is YAML.
    const content = { zone, entrypoints: { [PHASE]: { rules } } };
    writeFileSync(join(folder, 'zones', `${zone}.yaml`), JSON.stringify(content));
  }
}

function ours(preflight: 'auto' | 'off', spelled = (zone: string): string => zone): Tool {
  return async ({ baseUrl, token, folder, zones }, { after }, between) => {
    const service: ServiceOptions = {
      service: { kind: 'service', baseUrl, credentials: { kind: 'token', token } },
      env: {},
      secrets: NO_SECRETS,
      concurrency: 4,
      ...runTime(),
      budget: runBudget(),
    };
    writeProject(folder, zones.map(spelled), after);
    const planned = await plan({ cwd: folder, paths: [], targets: [] }, service, quiet);
    if (planned.kind === 'invalid') {
      throw new Error(JSON.stringify(planned.diagnostics));
    }
    await between();
    const { outcomes } = await apply(
      {
        plan: planned.plan,
        service,
        writes: 'auto',
        preflight,
        origin: 'fresh',
        dryRun: false,
        allow: ['all'],
        journal: join(folder, 'journal.jsonl'),
        cwd: folder,
      },
      quiet,
    );
    return outcomes.some(({ kind }) => kind === 'conflict' || kind === 'refused');
  };
}

/** Sends the file as it is, without reading the live state. */
const wholePut: Tool = async ({ sdk, zones }, { after }, between) => {
  await between();
  for (const zone of zones) {
    await sdk.rulesets.phases.update(PHASE, { zone_id: scopeId('zone', zone), rules: [...after] });
  }
  return false;
};

function versionOf(ruleset: unknown): number {
  const has = typeof ruleset === 'object' && ruleset !== null && 'version' in ruleset;
  return has ? Number(ruleset.version) : Number.NaN;
}

/** Reads, skips what is as desired, sends the file, and reports a conflict when the version did not go up by one. It knows the zones' ids. */
const safePut: Tool = async ({ sdk, zones }, { after }, between) => {
  let told = false;
  for (const zone of zones) {
    const zoneId = scopeId('zone', zone);
    const live = await sdk.rulesets.phases.get(PHASE, { zone_id: zoneId });
    await between();
    if (textOf(live.rules) !== textOf(after)) {
      const put = await sdk.rulesets.phases.update(PHASE, { zone_id: zoneId, rules: [...after] });
      told ||= versionOf(put) !== versionOf(live) + 1;
    }
  }
  return told;
};

/** Reads once, then sends one request for each rule; a rule to be moved is deleted and created again. */
const ruleByRule: Tool = async (
  { sdk, zones: [name = ''] },
  { changed = [], addedFirst, movedLast },
  between,
) => {
  const zone = scopeId('zone', name);
  const live = await sdk.rulesets.phases.get(PHASE, { zone_id: zone });
  await between();
  const idOf = ({ ref }: Rule): string => live.rules?.find((one) => one.ref === ref)?.id ?? '';
  for (const one of changed) {
    await sdk.rulesets.rules.edit(idOf(one), { ruleset_id: live.id, zone_id: zone, ...one });
  }
  if (addedFirst !== undefined) {
    await sdk.rulesets.rules.create(live.id, { zone_id: zone, ...addedFirst, position: { index: 1 } });
  }
  if (movedLast !== undefined) {
    await sdk.rulesets.rules.delete(idOf(movedLast), { ruleset_id: live.id, zone_id: zone });
    await sdk.rulesets.rules.create(live.id, { zone_id: zone, ...movedLast });
  }
  return false;
};

const TOOLS: Readonly<Record<string, Tool>> = {
  ours: ours('auto'),
  'ours, id in the file': ours('auto', (zone) => scopeId('zone', zone)),
  'PUT of the whole': wholePut,
  'GET, compare, PUT': safePut,
  'rule by rule': ruleByRule,
};

interface Sent {
  readonly method: string;
  readonly wrote: boolean;
}

interface Ended {
  readonly sent: readonly Sent[];
  readonly told: boolean;
  readonly ids: ReadonlyMap<string, string>;
  readonly idsBefore: ReadonlyMap<string, string>;
  /** Whether the rules stand as the edit wants them, in order. */
  readonly done: boolean;
  readonly foreignKept: boolean;
}

/** The refs and expressions of rules, in order. */
function textOf(rules: readonly { readonly ref?: string; readonly expression?: string }[]): string {
  return rules.map(({ ref, expression }) => `${ref} ${expression}`).join('\n');
}

/** Carries out one edit with one tool on a separate service, with or without a foreign edit in between. */
async function carryOut(
  tool: Tool,
  edit: Edit,
  { foreign = false, count = 1 }: { readonly foreign?: boolean; readonly count?: number } = {},
): Promise<Ended> {
  const zones = Array.from({ length: count }, (_, index) => zoneName(index));
  const account = 'Shop';
  const seed = {
    version: 1,
    accounts: [{ name: account }],
    zones: zones.map((name) => ({ name, account, plan: 'enterprise' })),
  };
  const emulator = await startEmulator({ budget: 'off', seed });
  const folder = mkdtempSync(join(tmpdir(), 'rulewright-bench-'));
  try {
    const { baseUrl, token } = emulator;
    const sdk = new Cloudflare({ apiToken: token, baseURL: baseUrl });
    const zone = scopeId('zone', zoneName(0));
    for (const name of zones) {
      await sdk.rulesets.phases.update(PHASE, { zone_id: scopeId('zone', name), rules: [...before] });
    }
    const made = await sdk.rulesets.phases.get(PHASE, { zone_id: zone });
    const idsBefore = new Map((made.rules ?? []).map(({ ref, id }) => [ref ?? '', id ?? '']));
    const between: Between = async () => {
      if (foreign) {
        const other = { ...rule(50), enabled: false };
        await sdk.rulesets.rules.edit(idsBefore.get(FOREIGN) ?? '', {
          ruleset_id: made.id,
          zone_id: zone,
          ...other,
        });
      }
    };
    await fetch(`${emulator.controlUrl}/requests`, { method: 'DELETE' });
    const told = await tool({ baseUrl, token, sdk, zones, folder }, edit, between);
    const sent = (await (await fetch(`${emulator.controlUrl}/requests`)).json()) as readonly Sent[];
    const { rules } = await sdk.rulesets.phases.get(PHASE, { zone_id: zone });
    return {
      sent,
      told,
      idsBefore,
      ids: new Map(rules.map(({ ref, id }) => [ref ?? '', id ?? ''])),
      done: textOf(rules) === textOf(edit.after),
      foreignKept: rules.some(({ ref, enabled }) => ref === FOREIGN && !enabled),
    };
  } finally {
    await emulator.close();
    rmSync(folder, { recursive: true });
  }
}

function countsOf(sent: readonly Sent[]): Readonly<Record<string, number>> {
  const reads = sent.filter(({ method }) => method === 'GET').length;
  const writes = sent.filter(({ wrote }) => wrote).length;
  return { requests: sent.length, reads, checks: sent.length - reads - writes, writes };
}

for (const edit of EDITS) {
  const rows: Record<string, string | number>[] = [];
  for (const [name, tool] of Object.entries(TOOLS)) {
    const { sent, ids, idsBefore, done } = await carryOut(tool, edit);
    if (!done) {
      throw new Error(`${name}: ${edit.name} did not lead to the rules wanted`);
    }
    const met = await carryOut(tool, edit, { foreign: true });
    rows.push({
      tool: name,
      ...countsOf(sent),
      'ids lost': [...idsBefore].filter(([ref, id]) => ids.get(ref) !== id).length,
      'foreign edit': met.foreignKept ? 'kept' : 'lost',
      'own edit then': met.done ? 'made' : 'stopped',
      'told of it': met.told ? 'yes' : 'no',
    });
  }
  printTable(`${edit.name}, of ${RULES} rules`, rows);
}

for (const count of [1, 10, 100]) {
  const rows: Record<string, string | number>[] = [];
  const tools = {
    ours: ours('auto'),
    'ours, no preflight': ours('off'),
    'PUT of the whole': wholePut,
    'GET, compare, PUT': safePut,
  };
  for (const [tool, carries] of Object.entries(tools)) {
    const { sent } = await carryOut(carries, changing('one changed', [20]), { count });
    rows.push({ tool, ...countsOf(sent), 'a zone': sent.length / count });
  }
  printTable(`one rule changed in each of ${count} zones`, rows);
}
