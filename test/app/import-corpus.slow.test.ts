import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { account } from '../emulator/bench.ts';
import { corpusFolder, WITHOUT_CORPUS } from '../emulator/corpus-folder.ts';
import { corpusRulesets, loadCorpusRuleset, scopeOfCorpus } from '../emulator/corpus-rulesets.ts';
import type { ImportBench } from './import-bench.ts';
import { openImportBench, stepsOf } from './import-bench.ts';

describe.skipIf(corpusFolder === undefined)(`import of the corpus (${WITHOUT_CORPUS})`, () => {
  let bench: ImportBench;
  beforeAll(async () => {
    bench = await openImportBench({ switches: { managedRules: 'any', lists: 'any' } });
  });
  afterAll(() => bench.close());

  test.each(corpusRulesets())(
    '%s: the plan after the import is empty, and a second import changes no byte',
    async (number, file) => {
      await bench.reset();
      const reply = await loadCorpusRuleset(bench, number, file);
      expect([200, 400]).toContain(reply.status);
      if (reply.status === 400) {
        // A ruleset that the service refuses is never live.
        return;
      }
      const scopes =
        scopeOfCorpus(file) === account ? { accounts: ['Example Shop'] } : { zones: ['shop.example'] };
      const summary = await bench.import(scopes);
      const reasons = summary.scopes.flatMap((one) =>
        one.kind === 'failed' ? [one.message] : one.leftOut.map(({ reason }) => reason),
      );
      expect(reasons).toEqual([]);
      expect(stepsOf(await bench.plan())).toEqual([]);
      const files = bench.files();
      expect(Object.keys(files)).toHaveLength(2);
      expect((await bench.import(scopes)).written).toEqual([]);
      expect(bench.files()).toEqual(files);
    },
  );
});
