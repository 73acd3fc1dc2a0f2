import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context, Span, SpanOptions, Tracer } from '@opentelemetry/api';
import { context as contexts, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyExample } from '../copy-project.ts';
import { rulewright } from './in-process.ts';

let folder = '';

const run = (...words: readonly string[]) => rulewright([...words, '--emulator'], { cwd: folder });

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'rulewright-telemetry-')));
  await copyExample('shop', folder);
});

afterEach(async () => {
  trace.disable();
  await rm(folder, { recursive: true, force: true });
});

interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_count', '_sum'],
};

/** Parses OpenMetrics text, and checks that every sample belongs to the family above it. */
function parse(text: string): readonly Sample[] {
  expect(text).toMatch(/\n# EOF\n$/);
  const seen = new Set<string>();
  let family = { name: '', type: '' };
  return text
    .split('\n')
    .slice(0, -2)
    .flatMap((line): readonly Sample[] => {
      const head = /^# (TYPE|UNIT|HELP) ([a-z_]+) (.+)$/.exec(line);
      if (head !== null) {
        const [, word, name = '', rest = ''] = head;
        if (word === 'TYPE') {
          expect(seen).not.toContain(name);
          seen.add(name);
          family = { name, type: rest };
        }
        expect([name, word === 'UNIT' ? name.endsWith(`_${rest}`) : true]).toEqual([family.name, true]);
        return [];
      }
      const [, name = '', labels = '', value = ''] =
        /^([a-z_]+)(?:\{(.*)\})? (\d[\d.e+-]*)$/.exec(line) ?? [];
      expect((SUFFIXES[family.type] ?? []).map((suffix) => family.name + suffix)).toContain(name);
      const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)];
      return [
        { name, labels: new Map(pairs.map(([, key = '', text = '']) => [key, text])), value: Number(value) },
      ];
    });
}

/** The values of a metric, by one of its labels. */
function valuesOf(samples: readonly Sample[], name: string, label = 'command') {
  return Object.fromEntries(
    samples.filter((sample) => sample.name === name).map(({ labels, value }) => [labels.get(label), value]),
  );
}

describe('--metrics', () => {
  const metrics = async (name: string) => parse(await readFile(join(folder, name), 'utf8'));

  /** The zone file with an expression that is true for every request. */
  const everywhere = (files: string): string =>
    files.replace('expression: http.request.uri.path eq "/xmlrpc.php"', 'expression: "true"');

  /** Applies the file that `live` makes, writes the one that `declared` makes, and runs drift with metrics. */
  async function driftFrom(live: (files: string) => string, declared = (files: string): string => files) {
    const zone = join(folder, 'zones', 'blog.example.yaml');
    const files = await readFile(zone, 'utf8');
    await writeFile(zone, live(files));
    await run('apply', '--yes', '--allow', 'all');
    await writeFile(zone, declared(files));
    return run('drift', '--metrics', 'drift.prom');
  }

  it('counts requests, scopes, changes and steps of a plan and an apply', async () => {
    const planned = await run('plan', '--metrics', 'plan.prom', '--exit-code');
    const plan = await metrics('plan.prom');
    expect(planned.code).toBe(2);
    expect(valuesOf(plan, 'rulewright_exit_code')).toEqual({ plan: 2 });
    const [, requests = ''] = /about (\d+) requests/.exec(planned.stderr) ?? [];
    const answered = valuesOf(plan, 'rulewright_requests_total', 'status');
    expect(Number(requests)).toBeGreaterThan(0);
    expect(Object.keys(answered).sort()).toEqual(['2xx', '4xx']);
    expect(valuesOf(plan, 'rulewright_request_duration_seconds_count')).toEqual({
      plan: (answered['2xx'] ?? 0) + (answered['4xx'] ?? 0),
    });
    expect(valuesOf(plan, 'rulewright_scopes', 'result')).toEqual({ planned: 4 });
    const changes = valuesOf(plan, 'rulewright_changes', 'kind');
    const [, added = ''] = /(\d+) to add/.exec(planned.stdout) ?? [];
    expect(changes['add']).toBe(Number(added));
    await run('apply', '--yes', '--allow', 'all', '--metrics', 'apply.prom');
    const apply = await metrics('apply.prom');
    expect(valuesOf(apply, 'rulewright_exit_code')).toEqual({ apply: 0 });
    expect(Object.keys(valuesOf(apply, 'rulewright_steps_total', 'outcome'))).toEqual(['done']);
    expect(Object.keys(valuesOf(apply, 'rulewright_requests_total', 'kind')).sort()).toEqual([
      'check',
      'read',
      'write',
    ]);
    expect(valuesOf(apply, 'rulewright_drift', 'severity')).toEqual({});
    expect(valuesOf(apply, 'rulewright_drift_every_request')).toEqual({});
  });

  it('counts no drift as 0 for each severity', async () => {
    await run('apply', '--yes', '--allow', 'all');
    await run('drift', '--metrics', 'drift.prom');
    expect(valuesOf(await metrics('drift.prom'), 'rulewright_drift', 'severity')).toEqual({
      neutral: 0,
      strengthening: 0,
      weakening: 0,
    });
    expect(valuesOf(await metrics('drift.prom'), 'rulewright_drift_every_request')).toEqual({ drift: 0 });
  });

  it('counts live rules that end every request', async () => {
    await driftFrom(everywhere);
    const drift = await metrics('drift.prom');
    expect(valuesOf(drift, 'rulewright_drift_every_request')).toEqual({ drift: 1 });
    expect(valuesOf(drift, 'rulewright_drift_unprotected')).toEqual({ drift: 0 });
    expect(valuesOf(drift, 'rulewright_drift', 'severity')).toMatchObject({ strengthening: 1 });
  });

  it('counts live rules that let every request skip protection', async () => {
    const block = /action: block\n/u;
    const skip = 'action: skip\n        action_parameters: { phases: [http_request_firewall_managed] }\n';
    await driftFrom((files) => everywhere(files).replace(block, skip));
    expect(valuesOf(await metrics('drift.prom'), 'rulewright_drift_unprotected')).toEqual({ drift: 1 });
  });

  it('counts rules of others that concern every request, and not as drift', async () => {
    const phase = '  http_request_firewall_custom:';
    const mine = `${phase}\n    ownership: { rules: [mine-*] }\n    rules: []\n`;
    const shared = (files: string): string => files.slice(0, files.indexOf(phase)) + mine;
    expect((await driftFrom(everywhere, shared)).code).toBe(0);
    expect(valuesOf(await metrics('drift.prom'), 'rulewright_unowned_every_request')).toEqual({ drift: 1 });
    expect(valuesOf(await metrics('drift.prom'), 'rulewright_drift_every_request')).toEqual({ drift: 0 });
  });

  it('writes the complete file, and no other, when the command fails', async () => {
    const { code } = await run('plan', '--config', 'none.yaml', '--metrics', 'failed.prom');
    expect(code).toBe(1);
    expect(valuesOf(await metrics('failed.prom'), 'rulewright_exit_code')).toEqual({ plan: 1 });
    expect((await readdir(folder)).filter((name) => name.startsWith('failed'))).toEqual(['failed.prom']);
  });

  it('refuses a folder and a file of the project', async () => {
    await mkdir(join(folder, 'taken'));
    const { code, stderr } = await run('apply', '--yes', '--metrics', 'taken');
    expect([code, stderr]).toEqual([1, expect.stringContaining('taken is not a regular file')]);
    const project = await run('plan', '--metrics', 'rulewright.yaml');
    expect(project.stderr).toContain('is a file of the project');
  });
});

interface Kept {
  readonly name: string;
  readonly parent: string | null;
  readonly attributes: Record<string, unknown>;
  start: number;
  end: number;
  status: number;
}

/** A tracer that records spans, with nothing but the interface of the API. */
function keepingTracer(kept: Kept[]): Tracer {
  const names = new WeakMap<object, string>();
  const startSpan = (name: string, options: SpanOptions = {}, context: Context = contexts.active()): Span => {
    const parent = trace.getSpan(context);
    const { startTime = Date.now() } = options;
    const record: Kept = {
      name,
      parent: parent === undefined ? null : (names.get(parent) ?? '?'),
      attributes: { ...options.attributes },
      start: Number(startTime),
      end: 0,
      status: 0,
    };
    kept.push(record);
    const span: Span = {
      spanContext: () => ({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }),
      setAttribute: (key, value) => {
        record.attributes[key] = value;
        return span;
      },
      setAttributes: () => span,
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      setStatus: ({ code }) => {
        record.status = code;
        return span;
      },
      updateName: () => span,
      end: (time = Date.now()) => {
        record.end = Number(time);
      },
      isRecording: () => true,
      recordException: () => undefined,
    };
    names.set(span, name);
    return span;
  };
  return { startSpan, startActiveSpan: () => expect.unreachable('spans are started by hand') };
}

describe('spans', () => {
  it('are made for the command, its scopes and steps, and their requests', async () => {
    const kept: Kept[] = [];
    trace.setGlobalTracerProvider({ getTracer: () => keepingTracer(kept) });
    const { code } = await run('apply', '--yes', '--allow', 'all');
    expect(code).toBe(0);
    const [root, ...rest] = kept;
    expect(root).toMatchObject({ name: 'rulewright apply', parent: null, status: 0 });
    expect(root?.attributes).toEqual({ 'rulewright.exit_code': 0 });
    const families = [...new Set(rest.map(({ name, parent }) => `${parent} > ${name}`))].sort();
    expect(families).toEqual([
      'apply step > GET',
      'apply step > PATCH',
      'apply step > POST',
      'apply step > PUT',
      'plan scope > GET',
      'preflight > DELETE',
      'preflight > GET',
      'preflight > PATCH',
      'preflight > POST',
      'preflight > PUT',
      'rulewright apply > GET',
      'rulewright apply > apply step',
      'rulewright apply > plan scope',
      'rulewright apply > preflight',
    ]);
    const scopes = rest.filter(({ name }) => name === 'plan scope');
    expect(scopes.map(({ attributes }) => attributes['rulewright.scope'])).toContain('zone:shop.example');
    expect(kept.every(({ start, end }) => end >= start)).toBe(true);
    expect(JSON.stringify(kept)).not.toMatch(/authorization|bearer/i);
  });

  it('have the writes of a saved plan below its steps', async () => {
    await run('plan', '--out', 'plan.json');
    const kept: Kept[] = [];
    trace.setGlobalTracerProvider({ getTracer: () => keepingTracer(kept) });
    const { code } = await run('apply', 'plan.json', '--yes', '--allow', 'all');
    expect(code).toBe(0);
    const sent = kept.filter(({ name, parent }) => name !== 'GET' && parent !== 'preflight');
    const families = new Set(sent.map(({ name, parent }) => `${parent} > ${name}`));
    expect([...families].sort()).toEqual([
      'apply step > PATCH',
      'apply step > POST',
      'apply step > PUT',
      'null > rulewright apply',
      'rulewright apply > apply step',
      'rulewright apply > preflight',
    ]);
  });

  it.each([0, 1, 5, 12])('do not affect apply when the tracer throws after %i spans', async (most) => {
    const kept: Kept[] = [];
    const tracer = keepingTracer(kept);
    const startSpan: Tracer['startSpan'] = (...about) => {
      if (kept.length >= most) {
        throw new Error('the exporter is broken');
      }
      return tracer.startSpan(...about);
    };
    trace.setGlobalTracerProvider({ getTracer: () => ({ ...tracer, startSpan }) });
    const { code, stdout } = await run('apply', '--yes', '--allow', 'all');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Applied')]);
    expect(kept).toHaveLength(most);
    expect((await run('plan', '--exit-code')).code).toBe(0);
  });

  it('are not needed: plan works without a tracer', async () => {
    expect((await run('plan')).code).toBe(0);
  });
});
