import { expect, test } from 'vitest';
import { phaseNames, phaseRow } from '../../src/emulator/rulesets/parameters/phase-rows.ts';
import { PHASES } from '../../src/model/index.ts';

/** Differences that are meant: what the table of `src/model` says, and the service's own does not. */
const MEANT: Readonly<Record<string, { readonly needsEnterpriseClause: undefined }>> = {
  // The documentation asks "WAF" rules for the clause (api.md 4.4). Whether this is one it does not say: files have it, the service takes both.
  http_response_firewall_managed: { needsEnterpriseClause: undefined },
};

/** The embedded service is its own witness: it has its own table of phases. This holds the two together; what differs has to be meant. */
const sorted = (names: readonly string[] | undefined) => (names === undefined ? undefined : names.toSorted());

test('the two tables have the same phases', () => {
  expect(phaseNames.toSorted()).toEqual(PHASES.map(({ name }) => name).toSorted());
});

test.each(PHASES)('the two tables say the same of $name', (phase) => {
  const row = phaseRow(phase.name);
  expect({
    zone: sorted(row?.zone),
    account: sorted(row?.root),
    zoneCustom: sorted(row?.zoneCustom),
    accountCustom: sorted(row?.accountCustom),
    permissions: [row?.zonePermission, row?.accountPermission],
    isReadOnly: row?.writtenBy !== undefined,
    needsEnterpriseClause: row?.waf,
  }).toEqual({
    zone: sorted(phase.actions.zone),
    account: sorted(phase.actions.account),
    zoneCustom: sorted(phase.actions.zoneCustom),
    accountCustom: sorted(phase.actions.accountCustom),
    permissions: [phase.permissions.zone, phase.permissions.account],
    isReadOnly: phase.writtenElsewhere !== undefined,
    needsEnterpriseClause: phase.needsEnterpriseClause,
    ...MEANT[phase.name],
  });
});
