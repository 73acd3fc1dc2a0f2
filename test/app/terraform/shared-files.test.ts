import fc from 'fast-check';
import { expect, test } from 'vitest';
import { declareLive } from '../../../src/app/import/declare-live.ts';
import { NO_LISTS } from '../../../src/app/import/declare-lists.ts';
import { NO_SETTINGS } from '../../../src/app/import/declare-settings.ts';
import { newDestination } from '../../../src/app/import/destination.ts';
import { entriesOf } from '../../../src/app/import/live-entries.ts';
import { stepsLeft } from '../../../src/app/import/steps-left.ts';
import type { ScopeFiles } from '../../../src/app/import/scope-files.ts';
import { sharedFiles, withShared } from '../../../src/app/terraform/shared-files.ts';
import { loadTexts, sourceText } from '../../../src/config/index.ts';
import { propertyRuns } from '../../property-runs.ts';
import { id, liveRule, liveRuleset } from '../../plan/build.ts';

const PHASE = 'http_request_firewall_custom';
const OTHER = 'http_request_cache_settings';

/** A rule of a block in one zone: some of it is the same in all zones, some is the zone's own. */
const rule = fc.record({
  ref: fc.constantFrom('one', 'two', 'three'),
  limit: fc.constantFrom(5, 5, 6, 7),
  action: fc.constantFrom('block', 'block', 'block', 'log'),
  text: fc.constantFrom('', String.raw`Ask \${x}`, 'Ask', '# no', 'a: "b"'),
  isNamed: fc.constantFrom(true, true, true, false),
  enabled: fc.boolean(),
});
const block = fc.uniqueArray(rule, { maxLength: 2, selector: ({ ref }) => ref });
const zones = fc.array(
  fc.record({
    waf: block,
    own: fc.constantFrom(0, 0, 0, 1),
    resource: fc.constantFrom('waf', 'waf', 'other'),
  }),
  { minLength: 4, maxLength: 8 },
);

const destination = newDestination('/nowhere', { environment: {} });

interface GeneratedRule {
  readonly ref: string;
  readonly limit: number;
  readonly action: string;
  readonly text: string;
  readonly isNamed: boolean;
  readonly enabled: boolean;
}

interface GeneratedZone {
  readonly waf: readonly GeneratedRule[];
  readonly own: number;
  readonly resource: string;
}

function freshZone({ waf, own, resource }: GeneratedZone, at: number) {
  const name = `zone${at}.example`;
  const rules = waf.map((one, index) =>
    liveRule(at * 100 + index + 1, {
      ...(one.isNamed ? { ref: one.ref } : {}),
      action: one.action,
      description: one.text,
      enabled: one.enabled,
      expression: `http.host eq "${name}" and cf.waf.score lt ${one.limit} and http.cookie contains "${one.ref}"`,
    }),
  );
  const cached = liveRule(at * 100 + 51, {
    ref: 'cache',
    action: 'set_cache_settings',
    expression: `http.request.uri.path eq "/${own}"`,
    action_parameters: { cache: false },
  });
  const cache = liveRuleset([cached], { id: id(at * 100 + 50), phase: OTHER });
  const whole = {
    scope: { kind: 'zone', id: id(at * 100 + 99), name, accountId: id(7) } as const,
    rulesets: [liveRuleset(rules, { id: id(at * 100 + 60), phase: PHASE }), ...(own === 0 ? [] : [cache])],
    unsure: [],
    catalogue: [],
  };
  const { declared, leftOut } = declareLive(whole, {
    settings: destination.settings,
    managed: new Map(),
    nameRules: false,
    name,
  });
  const path = `zones/${name}.yaml`;
  const address = (called: string) => ({
    instance: `cloudflare_ruleset.${called}["${name}"]`,
    resource: `cloudflare_ruleset.${called}`,
    type: 'cloudflare_ruleset',
    name: called,
    note: `cloudflare_ruleset.${called}["${name}"]`,
  });
  const resources = new Map([
    [PHASE, address(resource)],
    ...(own === 0 ? [] : [[OTHER, address('cache')] as const]),
  ]);
  const files: ScopeFiles = {
    kind: 'new',
    label: `zone:${name}`,
    accountId: id(7),
    name,
    declared,
    leftOut,
    first: { leftOut, lists: NO_LISTS, settings: NO_SETTINGS },
    texts: new Map([[path, `zone: ${name}\n`]]),
    replaced: [],
    rulesets: declared.length,
    rules: rules.length,
    lists: 0,
    settings: 0,
    unmanagedObjects: [],
    unmanaged: [],
    inClear: [],
    unread: [],
    unknown: [],
    changes: [],
    kept: [],
    removed: [],
    renamed: [],
    dropped: [],
  };
  return { whole, files, addresses: [...resources.values()], resources };
}

test('every zone that shares a file or a pack is in one file, which says exactly what it has', () => {
  let packs = 0;
  let files = 0;
  fc.assert(
    fc.property(zones, (all) => {
      const fresh = all.map(freshZone);
      const shared = sharedFiles(fresh, { destination, alike: true, configuration: null, secrets: [] });
      const made = fresh.map((one) => ({ ...one, files: withShared(one.files, shared) }));
      const changed = made.filter(({ files: { texts } }, at) => texts !== fresh[at]?.files.texts);
      const texts = new Map(changed.flatMap((one) => [...one.files.texts]));
      const packTexts = new Map(changed.flatMap((one) => [...(one.files.packs ?? [])]));
      packs += packTexts.size;
      files += texts.size;
      // Each file stands for itself: nothing is written twice under one path.
      for (const { files: one } of changed) {
        for (const [path, text] of [...one.texts, ...(one.packs ?? [])]) {
          expect(texts.get(path) ?? packTexts.get(path)).toBe(text);
        }
      }
      const { scopes, diagnostics } = loadTexts(
        [...texts].map(([path, text]) => sourceText(path, text)),
        shared.destination.settings,
        {
          ...shared.destination.around,
          packs: [...packTexts].map(([path, text]) => sourceText(path, text)),
        },
      );
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(scopes.map(({ scope }) => scope.name).toSorted()).toEqual(
        changed.map(({ whole }) => whole.scope.name).toSorted(),
      );
      for (const { whole } of changed) {
        const desired = scopes.filter(({ scope }) => scope.name === whole.scope.name);
        expect(desired.map((one) => stepsLeft(one, entriesOf(whole, one.rulesets), whole))).toEqual([
          undefined,
        ]);
      }
    }),
    { numRuns: Math.ceil(propertyRuns() / 4) },
  );
  expect(Math.min(packs, files)).toBeGreaterThan(10);
});
