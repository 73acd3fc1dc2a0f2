import { describe, expect, it } from 'vitest';
import type {
  Clause,
  RequestWay,
  RuleTestReport,
  RuleTestResult,
  RuleVerdict,
} from '../../src/model/simulation.ts';
import { clauseEntry } from '../../src/report/explanation-document.ts';
import { explanationText } from './printed.ts';
import { wholeText } from '../../src/report/index.ts';
import { testResultsJunit } from '../../src/report/junit.ts';
import { testResultsText } from './printed.ts';
import { testResultsJson } from '../../src/report/index.ts';

const PLAIN = { width: 80, colour: false };

function said(rule: string, over: Partial<RuleVerdict> = {}): RuleVerdict {
  return {
    scope: { kind: 'zone', name: 'shop.example' },
    phase: 'http_request_firewall_custom',
    ruleset: null,
    rule,
    action: 'block',
    cause: { file: 'zones/shop.yaml', line: 7, column: 9 },
    verdict: 'missed',
    ends: false,
    why: '',
    assumes: [],
    clause: null,
    ...over,
  };
}

function way(verdicts: readonly RuleVerdict[], over: Partial<RequestWay> = {}): RequestWay {
  return {
    source: 'files',
    verdicts,
    end: null,
    certain: true,
    notSimulated: [],
    errorPage: null,
    method: 'GET',
    url: 'https://shop.example/a',
    urlAtOrigin: 'https://shop.example/a',
    headers: [],
    changedHeaders: [],
    response: null,
    settings: [],
    skippedProducts: [],
    ...over,
  };
}

function result(name: string, over: Partial<RuleTestResult> = {}): RuleTestResult {
  const point = { line: 3, column: 5 };
  return {
    file: 'tests/a.test.yaml',
    name,
    where: { file: 'tests/a.test.yaml', start: point, end: point },
    passed: true,
    mismatches: [],
    way: way([]),
    ...over,
  };
}

const FAILED = result('who "comes" <in> & \u0007 out', {
  passed: false,
  mismatches: [{ key: 'action', message: 'expected block,\nbut <none>' }],
  way: way([said('one'), said('two', { verdict: 'opaque', why: 'runs managed:x' })]),
});
const REPORT: RuleTestReport = { tests: [result('fine'), FAILED], errors: [] };

describe('rule tests as text', () => {
  it('show what was expected and the verdicts of the rules', () => {
    expect(testResultsText(REPORT, PLAIN, { failuresOnly: false })).toBe(`tests/a.test.yaml
  ✓ fine
  ✗ who "comes" <in> & \\u{7} out  tests/a.test.yaml:3:5
      action: expected block,\\nbut <none>
      GET https://shop.example/a
      http_request_firewall_custom · zone:shop.example
        ? two  block · not simulated: runs managed:x  zones/shop.yaml:7
        … 1 rule without a match
      → No rule of these files ends the request.

2 tests: 1 passed, 1 failed.
1 request passed rules that only the service can run, such as managed rulesets.
  They are not simulated: two.
`);
  });

  it('leave out tests that passed if only failures are wanted', () => {
    expect(testResultsText({ tests: [result('fine')], errors: [] }, PLAIN, { failuresOnly: true })).toBe(
      '1 test: 1 passed, 0 failed.\n',
    );
  });

  it('are counted in the JSON document', () => {
    expect(testResultsJson(REPORT)).toMatchObject({ kind: 'test-results', passed: 1, failed: 1 });
  });
});

describe('rule tests as JUnit', () => {
  const xml = testResultsJunit(REPORT);

  it('are well-formed, whatever names and messages contain', () => {
    expect(tagsOf(xml)).toEqual(['testsuites', 'testsuite', 'testcase', 'testcase', 'failure']);
    expect(xml).toContain('name="who &quot;comes&quot; &lt;in&gt; &amp; \\u{7} out"');
    expect(xml).toContain(
      '<testsuites name="rulewright test" tests="2" failures="1" errors="0" skipped="0">',
    );
  });

  it('contain the verdict of a rule that is not simulated', () => {
    expect(xml).toContain('http_request_firewall_custom: two (block) opaque: runs managed:x');
  });

  it('are well-formed without any tests', () => {
    expect(tagsOf(testResultsJunit({ tests: [], errors: [] }))).toEqual(['testsuites']);
  });
});

/** The elements of an XML document in the order in which they begin. Throws if the document is not well-formed. */
function tagsOf(xml: string): readonly string[] {
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  const token =
    /<(\/?)([a-z]+)((?: [a-z]+="(?:[^<&"]|&(?:amp|lt|gt|quot|#\d+);)*")*)(\/?)>|((?:[^<&>]|&(?:amp|lt|gt|quot|#\d+);)+)/gy;
  const open: string[] = [];
  const tags: string[] = [];
  let at = 0;
  for (const [whole, closing, name = '', , empty] of body.matchAll(token)) {
    at += whole.length;
    const opened = closing === '/' ? open.pop() : name;
    if (opened !== name) {
      throw new Error(`</${name}> closes <${opened ?? ''}>`);
    }
    if (closing !== '/' && name !== '') {
      tags.push(name);
      open.push(...(empty === '/' ? [] : [name]));
    }
  }
  if (at !== body.length || open.length > 0) {
    throw new Error(`not well-formed at ${at}, open: ${open.join(' ')}`);
  }
  return tags;
}

describe('explanations', () => {
  it('show how the request ends, and what the rules changed', () => {
    const rule = said('wall', { verdict: 'matched', ends: true });
    const text = explanationText(
      way(
        [
          said('inner', { ruleset: 'Login', verdict: 'skipped', why: 'by vip' }),
          rule,
          said('late', { verdict: 'unreached', why: 'wall ends it' }),
        ],
        {
          end: { ...rule, status: 403, location: null },
          urlAtOrigin: 'https://shop.example/b',
          settings: [{ phase: 'http_request_cache_settings', name: 'cache', value: false, rule: 'no-cache' }],
          changedHeaders: [
            { name: 'X-A', values: ['1'] },
            { name: 'X-B', values: [] },
          ],
          skippedProducts: ['bic'],
        },
      ),
      PLAIN,
    );
    expect(text).toBe(`GET https://shop.example/a

http_request_firewall_custom · zone:shop.example
  » inner  block · skipped: by vip  zones/shop.yaml:7
  ✓ wall  block, ends here  zones/shop.yaml:7
  … 1 rule not reached: wall ends it

→ Blocked by wall in http_request_firewall_custom (403).
  url  https://shop.example/b
  X-A: 1
  X-B: removed
  cache  false  by no-cache
  skipped products  bic
`);
  });

  it('say that a request meets no rule', () => {
    expect(explanationText(way([]), PLAIN)).toContain('This request meets no rule.');
  });
});

describe('clauses', () => {
  const testOf = (text: string, holds: boolean): Clause => ({
    kind: 'test',
    text,
    holds,
    clauses: [],
    observed: [],
  });
  const shown = (clause: Clause): string =>
    wholeText({ title: '', body: [clauseEntry(clause, { timeZone: 'UTC' })] }, PLAIN);

  it('show the values that they read', () => {
    const observed = [{ name: 'http.host', value: 'a.example', assumed: false }];
    expect(shown({ ...testOf('http.host eq "b"', false), observed })).toBe(
      '✗ http.host eq "b"  (is "a.example")\n',
    );
    const flag = { name: 'ssl', value: true, assumed: false };
    expect(shown({ ...testOf('ssl', true), observed: [flag] })).toBe('✓ ssl  (is true)\n');
    const several = [...observed, { name: 'ip.src', value: null, assumed: true }];
    expect(shown({ ...testOf('f(http.host, ip.src)', true), observed: several })).toBe(
      '✓ f(http.host, ip.src)  (http.host is "a.example", ip.src is missing)\n',
    );
  });

  it('show only those that decide if there are many', () => {
    const parts = Array.from({ length: 40 }, (_, index) => testOf(`c${index}`, index === 20));
    expect(shown({ kind: 'or', text: '', holds: true, clauses: parts, observed: [] })).toBe(
      '✓ one of\n  ✓ c20\n  … 39 others false\n',
    );
    const none = parts.map((part) => ({ ...part, holds: false }));
    expect(shown({ kind: 'or', text: '', holds: false, clauses: none, observed: [] })).toContain(
      '… 34 others false',
    );
  });

  it('show a negated test on one line, and a negated group below it', () => {
    const both: Clause = {
      kind: 'and',
      text: '',
      holds: true,
      clauses: [testOf('a', true), testOf('b', true)],
      observed: [],
    };
    expect(
      shown({ kind: 'not', text: 'not a', holds: false, clauses: [testOf('a', true)], observed: [] }),
    ).toBe('✗ not a\n');
    expect(shown({ kind: 'not', text: '', holds: false, clauses: [both], observed: [] })).toBe(
      '✗ not\n  ✓ all of\n    ✓ a\n    ✓ b\n',
    );
  });
});
