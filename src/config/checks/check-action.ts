import type { Diagnostic, RulesetAddress, RuleSite, ScopeRef } from '../../model/index.ts';
import {
  actionsIn,
  isKnownAction,
  phaseAfter,
  PHASES,
  phaseFacts,
  actionFacts,
  actionKind,
  actionsWith,
  directsRules,
} from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset, ScopeFile } from '../project/scope-file.ts';
import { oneOfThese } from '../schema/suggest.ts';
import { locateKey, locateValue, pathKey } from '../yaml/yaml-document.ts';

/** Reports a ruleset of a phase whose rules are written through another interface. */
export function checkPhase({ document, path, address }: DeclaredRuleset): readonly Diagnostic[] {
  const elsewhere = phaseFacts(address.phase)?.writtenElsewhere;
  return elsewhere === undefined
    ? []
    : [
        finding('config/phase-elsewhere', {
          message: `phase ${address.phase} cannot be declared: ${elsewhere}`,
          hint: 'remove the phase from the file; what is live stays as it is',
          where: locateKey(document, path),
        }),
      ];
}

/** Checks that the action fits the phase and kind of its ruleset, and that the rule's other members fit the action. */
export function checkAction(ruleset: DeclaredRuleset, rule: DeclaredRule): readonly Diagnostic[] {
  const { action } = rule.value;
  if (typeof action !== 'string' || !isKnownAction(action)) {
    return [];
  }
  const misplaced = actionInPhase(ruleset, rule, action);
  // A misplaced rule has the members that its own phase wants, and nothing is known of the members in a phase new to this version.
  const isInPlace = misplaced.length === 0 && phaseFacts(ruleset.address.phase) !== undefined;
  return [
    ...misplaced,
    ...(isInPlace ? ratelimit(ruleset, rule, action) : []),
    ...(isInPlace ? credentialCheck(ruleset, rule, action) : []),
    ...logging(ruleset, rule, action),
  ];
}

/** Returns where the rules of a declared ruleset stand at the service (api.md 3.1). */
export function siteOf({
  address,
  scope,
}: {
  readonly address: Pick<RulesetAddress, 'kind'>;
  readonly scope: Pick<ScopeRef, 'kind'>;
}): RuleSite {
  return address.kind === 'custom' ? `${scope.kind}Custom` : scope.kind;
}

const SITE_NAMES = {
  zone: (phase) => `the entry point of phase ${phase} in a zone`,
  account: (phase) => `the entry point of phase ${phase} in an account`,
  zoneCustom: (phase) => `a custom ruleset of phase ${phase}`,
  accountCustom: (phase) => `a custom ruleset of phase ${phase}`,
} as const satisfies Record<RuleSite, (phase: string) => string>;

/**
 * Returns the paths of the parameters of rules whose action belongs to another phase. Whether the parameters fit that action does not matter:
 * either the rule moves or its action changes.
 */
export function misplacedParameters({ rulesets }: ScopeFile): ReadonlySet<string> {
  return new Set(
    rulesets.flatMap((ruleset) =>
      ruleset.rules
        .filter(({ value: { action } }) => typeof action === 'string' && isMisplaced(ruleset, action))
        .map(({ path }) => pathKey([...path, 'action_parameters'])),
    ),
  );
}

function isMisplaced(ruleset: DeclaredRuleset, action: string): boolean {
  const possible = actionsIn(ruleset.address.phase, siteOf(ruleset));
  return (
    possible !== undefined &&
    isKnownAction(action) &&
    !possible.includes(action) &&
    actionFacts(action)?.isInNoPhase !== true
  );
}

function actionInPhase(
  ruleset: DeclaredRuleset,
  { path }: DeclaredRule,
  action: string,
): readonly Diagnostic[] {
  if (!isMisplaced(ruleset, action)) {
    return [];
  }
  const site = siteOf(ruleset);
  const { phase } = ruleset.address;
  const possible = actionsIn(phase, site) ?? [];
  const elsewhere = PHASES.map(({ name }) => name).filter(
    (name) => actionsIn(name, site)?.includes(action) === true,
  );
  const inCustom =
    possible.some((name) => actionKind(name) === 'execute') &&
    actionsIn(phase, `${ruleset.scope.kind}Custom`)?.includes(action) === true;
  return [
    finding('config/action-in-phase', {
      message: `${SITE_NAMES[site](phase)} does not allow the action \`${action}\``,
      hint: inCustom
        ? 'put the rule into a custom ruleset of this phase, under `rulesets`, and run that one here with `execute`'
        : `allowed here: ${oneOfThese(possible, 'and')}${elsewhere.length === 0 ? '' : `; \`${action}\` belongs to ${oneOfThese(elsewhere)}`}`,
      where: locateValue(ruleset.document, [...path, 'action']),
    }),
  ];
}

function ratelimit(
  { document, address }: DeclaredRuleset,
  { path, value }: DeclaredRule,
  action: string,
): readonly Diagnostic[] {
  const limitsRate = phaseFacts(address.phase)?.limitsRate === true;
  const wanted = limitsRate && !directsRules(action);
  const given = Object.hasOwn(value, 'ratelimit');
  if (wanted === given || value['ratelimit'] === null) {
    return [];
  }
  return wanted
    ? [
        finding('config/missing-ratelimit', {
          message: 'a rate limiting rule needs `ratelimit`',
          hint: 'set what it counts by, over which time, and the number of requests: `characteristics`, `period`, `requests_per_period`',
          where: locateKey(document, path),
        }),
      ]
    : [
        finding('config/unexpected-ratelimit', {
          message: limitsRate
            ? `a rule with the action \`${action}\` cannot have a rate limit`
            : `rules of phase ${address.phase} cannot have rate limits`,
          hint: `remove \`ratelimit\`, or move the rule to ${phaseAfter('rate-limits')}`,
          where: locateKey(document, [...path, 'ratelimit']),
        }),
      ];
}

const CREDENTIAL_ACTIONS = actionsWith(({ checksCredentials }) => checksCredentials === true);

function credentialCheck(
  { document, address, scope }: DeclaredRuleset,
  { path, value }: DeclaredRule,
  action: string,
): readonly Diagnostic[] {
  const possible = address.kind === 'custom' && scope.kind === 'account';
  if (!Object.hasOwn(value, 'exposed_credential_check')) {
    // In a custom ruleset, `rewrite` only reports the result of such a check in headers (api.md 4.4).
    return possible && actionKind(action) === 'rewrite'
      ? [
          finding('config/missing-credential-check', {
            message: 'a `rewrite` in a custom ruleset needs `exposed_credential_check`',
            hint: 'say where the credentials are: `username_expression`, `password_expression`; other rewrites belong to the transform phases',
            where: locateKey(document, path),
          }),
        ]
      : [];
  }
  const where = locateKey(document, [...path, 'exposed_credential_check']);
  if (!possible) {
    return [
      finding('config/unexpected-credential-check', {
        message: '`exposed_credential_check` is possible in custom rulesets of an account only',
        hint: 'move the rule to a custom ruleset in the file of the account',
        where,
      }),
    ];
  }
  return CREDENTIAL_ACTIONS.includes(action)
    ? []
    : [
        finding('config/unexpected-credential-check', {
          message: `\`exposed_credential_check\` cannot be used with the action \`${action}\``,
          hint: `allowed with it: ${oneOfThese(CREDENTIAL_ACTIONS, 'and')}`,
          where,
        }),
      ];
}

function logging(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
  action: string,
): readonly Diagnostic[] {
  return actionKind(action) === 'skip' || !Object.hasOwn(value, 'logging')
    ? []
    : [
        finding('config/unexpected-logging', {
          message: `the service accepts \`logging\` only with \`skip\`, not with \`${action}\``,
          hint: 'remove `logging`',
          where: locateKey(document, [...path, 'logging']),
        }),
      ];
}
