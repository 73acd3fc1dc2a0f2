/** Ids of the seed below, by what they stand for. */
export const IDS = {
  account: 'acc00000000000000000000000000001',
  zone: '20000000000000000000000000000001',
  other: '20000000000000000000000000000002',
  entrypoint: '30000000000000000000000000000001',
  zoneCustom: '30000000000000000000000000000002',
  zoneExtra: '30000000000000000000000000000003',
  accountCustom: '30000000000000000000000000000004',
  accountRoot: '30000000000000000000000000000005',
} as const;

const WAF = 'http_request_firewall_custom';
const rule = (ref: string): unknown => ({ ref, expression: 'true', action: 'block' });
const customRuleset = (id: string, name: string): unknown => ({
  id,
  name,
  kind: 'custom',
  phase: WAF,
  rules: [rule('r')],
});

/** An account and two zones. The account and the first zone have a custom ruleset "Shared" each; the zone also has "Extra" and `rulesets`. */
export const seedWith = (...rulesets: readonly unknown[]): unknown => ({
  version: 1,
  token: 'all-permissions',
  tokens: {
    'zone-only': [
      { permissions: ['Zone Read', 'Zone WAF Read', 'Origin Read'], resources: [IDS.zone, IDS.other] },
    ],
    'waf-only': [{ permissions: ['Zone Read', 'Zone WAF Read'], resources: [IDS.zone, IDS.account] }],
  },
  accounts: [
    {
      id: IDS.account,
      name: 'Shop',
      plan: 'enterprise',
      features: ['account_rulesets'],
      rulesets: [
        customRuleset(IDS.accountCustom, 'Shared'),
        {
          id: IDS.accountRoot,
          kind: 'root',
          phase: WAF,
          rules: [
            {
              ref: 'run',
              expression: '(http.host ne "x") and cf.zone.plan eq "ENT"',
              action: 'execute',
              action_parameters: { id: IDS.accountCustom },
            },
          ],
        },
      ],
    },
  ],
  zones: [
    {
      id: IDS.zone,
      name: 'a.example',
      account: 'Shop',
      plan: 'enterprise',
      rulesets: [
        { id: IDS.entrypoint, kind: 'zone', phase: WAF, version: '7', rules: [rule('one'), rule('two')] },
        customRuleset(IDS.zoneCustom, 'Shared'),
        customRuleset(IDS.zoneExtra, 'Extra'),
        ...rulesets,
      ],
    },
    { id: IDS.other, name: 'b.example', account: 'Shop', plan: 'enterprise' },
  ],
});

/** The seed without further rulesets. */
export const SEED = seedWith();
