import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAlias, isCollection, isScalar, parseDocument, visit } from 'yaml';
import type { Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { importedFiles } from '../../src/app/import/imported-files.ts';
import type { ScopeFiles } from '../../src/app/import/scope-files.ts';
import { newDestination } from '../../src/app/import/destination.ts';
import type { ImportDestination } from '../../src/app/import/destination.ts';
import { stepsLeft } from '../../src/app/import/steps-left.ts';
import { entriesOf } from '../../src/app/import/live-entries.ts';
import type { WholeScope } from '../../src/live/read-whole-scope.ts';
import type { RuleContent } from '../../src/model/rule.ts';
import { isNamed } from '../../src/model/rule.ts';
import type { LiveRuleset } from '../../src/model/ruleset.ts';
import { planScope } from '../../src/plan/plan-scope.ts';
import { liveRules } from '../plan/arbitraries.ts';
import { firewallContents } from '../plan/contents.ts';
import { id, liveRule, liveRuleset } from '../plan/build.ts';
import { propertyRuns } from '../property-runs.ts';
import { projectWith } from './project-with.ts';

const SCOPE = { kind: 'zone', id: id(1), name: 'shop.example', accountId: id(2) } as const;
const FILE = 'zones/shop.example.yaml';
const MANAGED = {
  ...liveRuleset([]),
  id: id(0xaa),
  name: 'Cloudflare Managed Ruleset',
  kind: 'managed',
} as const;
const managedHead = { ...MANAGED, phase: 'http_request_firewall_managed' };

/** Texts that YAML, a terminal or the variables of Rulewright could misread. */
const texts = fc.oneof(
  fc.constantFrom(
    '',
    'true',
    '# no',
    'a: b',
    "it's",
    '- x',
    '"',
    'on',
    ' padded ',
    '\u00a0',
    '*x',
    '&x',
    '\t',
    'a\nb\n',
    'a\n\n',
    '\n \n',
    'a \n b\n \n',
    'a\n ',
    'a \n',
    ' \n #x',
    'a\n\n  \nb',
    '${x}',
    '012',
    '|',
    'é✓😀',
    '{}',
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.lorem({ maxCount: 40 }),
);

const rateLimits = fc.record({
  action: fc.constantFrom('block', 'log'),
  expression: fc.constantFrom('http.host eq "a"', 'http.request.uri.path contains "  two  "'),
  description: texts,
  enabled: fc.boolean(),
  ratelimit: fc.record({
    characteristics: fc.constant(['cf.colo.id', 'ip.src']),
    period: fc.constantFrom(10, 60),
    requests_per_period: fc.integer({ min: 1, max: 50 }),
    requests_to_origin: fc.boolean(),
    mitigation_timeout: fc.constantFrom(0, 60, 600),
    counting_expression: fc.constantFrom('', 'http.host eq "a"', 'http.response.code eq 404'),
  }),
});

const deployments = fc.record({
  action: fc.constant('execute'),
  expression: fc.constantFrom('true', ' true', 'not (http.host in {"a" "b"} or\n  ip.src eq 192.0.2.1)'),
  description: texts,
  enabled: fc.boolean(),
  action_parameters: fc.record(
    {
      id: fc.constantFrom(id(0xaa), id(0xbb)),
      version: fc.constant('latest'),
      overrides: fc.record(
        {
          rules: fc.constantFrom(
            [],
            [
              { id: id(7), action: 'log' },
              { id: id(6), enabled: false },
            ],
          ),
          categories: fc.constantFrom([], [{ category: 'wordpress', enabled: false }]),
          action: fc.constantFrom('log', 'block'),
        },
        { requiredKeys: [] },
      ),
      new_thing: fc.constantFrom(true, 'on', 7, [], {}, [{ a: '#' }, ['b: c']], {
        deep: { deeper: [1.5, false] },
      }),
    },
    { requiredKeys: ['id'] },
  ),
  extra: fc.constantFrom({ new_field: { deep: [1, '#'] } }),
});

function rules(contents: fc.Arbitrary<RuleContent>) {
  return fc
    .uniqueArray(fc.nat({ max: 9 }), { maxLength: 5 })
    .chain((numbers) =>
      fc.tuple(
        ...numbers.map((number) =>
          fc
            .tuple(contents, fc.boolean(), texts)
            .map(([content, isNamed, name]) =>
              liveRule(number + 1, { ...(isNamed ? { ref: `${name.trim()}-${number}` } : {}), ...content }),
            ),
        ),
      ),
    );
}

function ruleset(number: number, over: Partial<LiveRuleset>, of: fc.Arbitrary<LiveRuleset['rules']>) {
  const made = fc
    .tuple(of, texts)
    .map(([list, description]) => liveRuleset(list, { id: id(number), description, ...over }));
  return fc.option(made, { nil: undefined });
}

/** The rules without a second execute rule of the managed ruleset, which the service refuses in a zone. */
function eachOnce(list: LiveRuleset['rules']): LiveRuleset['rules'] {
  const deploys = ({ content }: LiveRuleset['rules'][number]): boolean =>
    content.action_parameters?.['id'] === managedHead.id;
  const first = list.findIndex(deploys);
  return list.filter((rule, index) => index <= first || !deploys(rule));
}

/** Live states of a zone with rulesets of several kinds. */
const states: fc.Arbitrary<WholeScope> = fc
  .tuple(
    ruleset(0x11, {}, liveRules(6, firewallContents)),
    ruleset(0x12, { phase: 'http_ratelimit' }, rules(rateLimits)),
    ruleset(0x13, { phase: 'http_request_firewall_managed' }, rules(deployments).map(eachOnce)),
    ruleset(0x14, { kind: 'custom', name: 'Login: "protection"' }, liveRules(3, firewallContents)),
  )
  .map((some) => {
    const rulesets = some.filter((one) => one !== undefined);
    const customs = rulesets.filter(({ kind }) => kind === 'custom');
    return { scope: SCOPE, rulesets, unsure: [], catalogue: [managedHead, ...customs] };
  });

async function importInto(
  destination: Exclude<ImportDestination, { kind: 'invalid' }>,
  whole: WholeScope,
  nameRules = false,
): Promise<ScopeFiles> {
  const declared = destination.kind === 'project' ? destination.project.scopes[0] : undefined;
  const wanted = {
    kind: 'found',
    scope: SCOPE,
    name: SCOPE.name,
    ...(declared === undefined ? {} : { declared }),
  } as const;
  return importedFiles(whole, {
    destination,
    wanted,
    names: new Map([[id(6), 'A rule\u0007 #6']]),
    sensitive: [],
    nameRules,
    unmanaged: true,
  });
}

/** The same file with its lists of rules, or its whole rulesets, in YAML flow style. */
function inBrackets(text: string, braces: boolean): string {
  const document = parseDocument(text);
  visit(document, {
    Pair: (_, { key, value }) => {
      const isPhase = isScalar(key) && String(key.value).startsWith('http_');
      if (isCollection(value) && (braces ? isPhase : isScalar(key) && key.value === 'rules')) {
        value.flow = true;
      }
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** The same file with some repeated values replaced by aliases of their first use; `picks` chooses which. */
function withAliases(text: string, picks: readonly boolean[]): string {
  const document = parseDocument(text);
  const first = new Map<string, Scalar | YAMLMap | YAMLSeq>();
  const within = (node: Node): readonly unknown[] => {
    const found: unknown[] = [];
    visit(node, { Node: (_, one) => void found.push(isAlias(one) || ('anchor' in one && one.anchor)) });
    return found;
  };
  let at = 0;
  const shared = (node: unknown): Node | undefined => {
    if (
      !(isScalar(node) || isCollection(node)) ||
      within(node).some((one) => one !== undefined && one !== false)
    ) {
      return undefined;
    }
    const key = JSON.stringify(node.toJS(document));
    const anchored = first.get(key);
    at += 1;
    if (anchored === undefined) {
      first.set(key, node);
      return undefined;
    }
    return picks[at % picks.length] === true ? document.createAlias(anchored, `a${at}`) : undefined;
  };
  visit(document, {
    Pair: (_, pair) => {
      pair.value = shared(pair.value) ?? pair.value;
    },
    Seq: (_, seq) => {
      seq.items = seq.items.map((item) => shared(item) ?? item);
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** The first state, where `picks` replaces some rules by those of the second state, or deletes them if it has none. */
function mixed(before: WholeScope, after: WholeScope, picks: readonly boolean[]): WholeScope {
  const rulesets = before.rulesets.map((one) => {
    const others = after.rulesets.find(({ id: same }) => same === one.id)?.rules ?? [];
    const list = one.rules.flatMap((rule, at) => {
      const other = others.find(({ id: same }) => same === rule.id);
      return picks[at % picks.length] === true ? (other ?? []) : rule;
    });
    return { ...one, rules: eachOnce(list) };
  });
  return { ...before, rulesets };
}

function expectNothingLeft(text: string, whole: WholeScope): void {
  const left = projectWith(FILE, text).project.scopes.map((one) =>
    stepsLeft(one, entriesOf(whole, one.rulesets), whole),
  );
  expect(left).toEqual([undefined]);
}

const runs = { numRuns: propertyRuns() };
const nothing = newDestination('/nowhere', { environment: {} });

describe('import', () => {
  it('writes files that leave nothing to plan, and changes no byte the second time', async () => {
    await fc.assert(
      fc.asyncProperty(states, async (whole) => {
        const made = await importInto(nothing, whole);
        expect(made.leftOut).toEqual([]);
        const text = made.texts.get(FILE) ?? '';
        expectNothingLeft(text, whole);
        expect(await importInto(projectWith(FILE, text), whole)).toMatchObject({
          kind: 'unchanged',
          kept: [],
          texts: new Map(),
        });
      }),
      runs,
    );
  });

  it('proposes refs for rules without one, which the plan sets without any other change', async () => {
    await fc.assert(
      fc.asyncProperty(states, async (whole) => {
        const text = (await importInto(nothing, whole, true)).texts.get(FILE) ?? '';
        const changes = projectWith(FILE, text).project.scopes.flatMap((one) => {
          const entries = entriesOf(whole, one.rulesets);
          const plan = planScope(one, { scope: whole.scope, entries, catalogue: whole.catalogue });
          return plan.kind === 'failed' ? [] : plan.steps.flatMap((step) => step.changes);
        });
        const nameless = whole.rulesets.flatMap((one) => one.rules.filter((rule) => !isNamed(rule)));
        const named = changes.map((change) =>
          change.kind === 'patch' && change.fields.length === 0 && change.move === undefined
            ? change.adopts
            : change,
        );
        expect(named).toHaveLength(nameless.length);
        expect(new Set(named)).toEqual(new Set(nameless.map(({ ref }) => ref)));
        // A file that was imported without proposed refs gets them, and changes in nothing else.
        const plain = (await importInto(nothing, whole)).texts.get(FILE) ?? '';
        expect((await importInto(projectWith(FILE, plain), whole, true)).texts.get(FILE) ?? plain).toBe(text);
      }),
      { numRuns: Math.ceil(propertyRuns() / 4) },
    );
  });

  it('takes over live changes into rulesets in flow style', async () => {
    await fc.assert(
      fc.asyncProperty(states, states, fc.boolean(), async (before, after, braces) => {
        const first = (await importInto(nothing, before)).texts.get(FILE) ?? '';
        const inFlow = inBrackets(first, braces);
        const updated = await importInto(projectWith(FILE, inFlow), after);
        const text = updated.texts.get(FILE) ?? inFlow;
        expect(updated.kept).toEqual([]);
        expectNothingLeft(text, after);
        expect(await importInto(projectWith(FILE, text), after)).toMatchObject({ kind: 'unchanged' });
      }),
      { numRuns: Math.ceil(propertyRuns() / 8) },
    );
  });

  it('takes over live changes into files with CR LF line ends and proposed refs', async () => {
    await fc.assert(
      fc.asyncProperty(states, states, fc.boolean(), async (before, after, ends) => {
        const first = (await importInto(nothing, before, true)).texts.get(FILE) ?? '';
        const written = (ends ? first : first.replace(/\n$/u, '')).replaceAll('\n', '\r\n');
        const updated = await importInto(projectWith(FILE, written), after);
        const text = updated.texts.get(FILE) ?? written;
        expect(updated.kept).toEqual([]);
        expect(text).not.toMatch(/[^\r]\n/u);
        expectNothingLeft(text, after);
        expect(await importInto(projectWith(FILE, text), after)).toMatchObject({ kind: 'unchanged' });
      }),
      { numRuns: Math.ceil(propertyRuns() / 8) },
    );
  });

  it('takes over live changes, and keeps the comments of rules that stay', async () => {
    await fc.assert(
      fc.asyncProperty(states, states, async (before, after) => {
        const first = (await importInto(nothing, before)).texts.get(FILE) ?? '';
        const noted = first.replaceAll(
          /^( *)- ref: (.*)$/gmu,
          (line, indent: string, ref: string) => `${indent}# about ${ref}\n${line} # its ref`,
        );
        const updated = await importInto(projectWith(FILE, noted), after);
        const text = updated.texts.get(FILE) ?? noted;
        expect(updated.kept).toEqual([]);
        expectNothingLeft(text, after);
        // A rule that lost its ref live, or got another one, keeps its comments too.
        const others: string[] = [];
        for (const [, , about, ref = ''] of text.matchAll(
          /^(.*# about (.*)\n)? *- ref: (.*) # its ref$/gmu,
        )) {
          expect(about).toBeDefined();
          others.push(...(about === ref || /^"?[0-9a-f]{32}"?$/u.test(ref) ? [] : [ref]));
        }
        // A ref of several lines has no comment of the form that is searched for.
        expect(others).toHaveLength(updated.renamed.filter((told) => !told.includes('\n')).length);
        expect(await importInto(projectWith(FILE, text), after)).toMatchObject({
          kind: 'unchanged',
          texts: new Map(),
        });
      }),
      { numRuns: Math.ceil(propertyRuns() / 2) },
    );
  });

  it('takes over live changes into files with anchors and aliases', async () => {
    const some = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        states,
        states,
        some,
        some,
        fc.boolean(),
        async (before, other, shares, picks, isMixed) => {
          const after = isMixed ? mixed(before, other, picks) : other;
          const first = (await importInto(nothing, before)).texts.get(FILE) ?? '';
          const aliased = withAliases(first, shares);
          const updated = await importInto(projectWith(FILE, aliased), after);
          const text = updated.texts.get(FILE) ?? aliased;
          expect(updated.kept).toEqual([]);
          expectNothingLeft(text, after);
          expect(await importInto(projectWith(FILE, text), after)).toMatchObject({ kind: 'unchanged' });
        },
      ),
      { numRuns: Math.ceil(propertyRuns() / 4) },
    );
  });
});
