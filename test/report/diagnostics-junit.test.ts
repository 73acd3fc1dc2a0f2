import { expect, it } from 'vitest';
import { diagnosticsJunit } from '../../src/report/junit.ts';

const where = { file: 'b.yaml', start: { line: 3, column: 5 }, end: { line: 3, column: 9 } };

it('writes a suite for each file, a failed case for each error, and warnings as output', () => {
  const text = diagnosticsJunit({
    sources: new Map([
      ['b.yaml', ''],
      ['a.yaml', ''],
    ]),
    diagnostics: [
      { code: 'x/warn', severity: 'warning', message: 'careful', where },
      { code: 'x/bad', severity: 'error', message: '<b>&"\u001b[31m', hint: 'mend it', where },
      { code: 'project/not-found', severity: 'error', message: 'no project' },
    ],
  });
  expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="rulewright validate" tests="3" failures="2" errors="0" skipped="0">
  <testsuite name="a.yaml" tests="1" failures="0" errors="0" skipped="0">
    <testcase name="valid" classname="a.yaml" file="a.yaml"/>
  </testsuite>
  <testsuite name="b.yaml" tests="1" failures="1" errors="0" skipped="0">
    <testcase name="x/bad 3:5" classname="b.yaml" file="b.yaml" line="3">
      <failure type="x/bad" message="&lt;b&gt;&amp;&quot;\\u{1b}[31m">b.yaml:3:5  error x/bad: &lt;b&gt;&amp;&quot;\\u{1b}[31m
hint: mend it</failure>
    </testcase>
    <system-out>b.yaml:3:5  warning x/warn: careful</system-out>
  </testsuite>
  <testsuite name="the project" tests="1" failures="1" errors="0" skipped="0">
    <testcase name="project/not-found" classname="the project" file="the project">
      <failure type="project/not-found" message="no project">error project/not-found: no project</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
});

it('writes JUnit that no terminal and no build service obeys when it is printed', () => {
  const hostile = 'a\u202eb\u009b31m ##vso[task.complete]\n  ::add-mask::x\ufffe\ttab\r\nend';
  const diagnostic = { code: 'x/bad', severity: 'error', message: hostile, where } as const;
  const text = diagnosticsJunit({ sources: new Map(), diagnostics: [diagnostic] });
  expect(text).toContain(
    String.raw`b.yaml:3:5  error x/bad: a\u{202e}b\u{9b}31m #\u{23}vso[task.complete]` +
      '\n  &#58;:add-mask::x\ufffd\\ttab\nend</failure>',
  );
  expect(text).toContain('[task.complete]&#10;  ::add-mask::x');
});
