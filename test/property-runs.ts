/** How many random cases a property test runs: 200 unless `RULEWRIGHT_PROPERTY_RUNS` says otherwise. */
export function propertyRuns(): number {
  const wanted = Number(process.env['RULEWRIGHT_PROPERTY_RUNS'] ?? '200');
  return Number.isSafeInteger(wanted) && wanted > 0 ? wanted : 200;
}
