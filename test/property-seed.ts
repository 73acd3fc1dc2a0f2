import fc from 'fast-check';

/**
 * The seed of all property tests. It is the same in every run, so that a change is accepted or refused for what it does and not by chance;
 * `RULEWRIGHT_PROPERTY_SEED` sets another one, and `random` stands for one that is new in each run.
 */
const wanted = process.env['RULEWRIGHT_PROPERTY_SEED'] ?? '20260101';
const seed = Number(wanted);
if (wanted !== 'random' && !Number.isSafeInteger(seed)) {
  throw new Error(
    `RULEWRIGHT_PROPERTY_SEED has to be a whole number or "random", not ${JSON.stringify(wanted)}`,
  );
}
fc.configureGlobal(wanted === 'random' ? {} : { seed });
