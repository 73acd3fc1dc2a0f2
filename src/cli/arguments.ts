import type { ObjectName, RulesetName } from '../app/index.ts';
import { parseObjectName, parseRulesetName, parseScopeName } from '../app/index.ts';
import type { ScopeRef } from '../model/index.ts';
import type { ArgumentsFor } from './flag.ts';
import { nonEmpty } from './flag.ts';
import { PROPOSED_RULESETS, PROPOSED_ZONES } from './complete-scopes.ts';

/** Arguments: any number of texts. */
export function texts(placeholder: string, brief: string) {
  return { kind: 'array', parameter: { parse: nonEmpty, placeholder, brief } } as const;
}

/** Arguments: any number of files and folders to read. */
export function paths(placeholder: string, brief: string) {
  return { ...texts(placeholder, brief), file: 'read' } as const;
}

/** The part of a project that a run is limited to. */
export const PATHS = paths('PATH', 'Project folder, or files of the project to limit the run to');

/** One zone, by name or id. */
export const ZONE_ARGUMENT: ArgumentsFor<readonly [ScopeRef]> = {
  kind: 'tuple',
  parameters: [
    {
      parse: zoneRef,
      placeholder: 'ZONE',
      brief: 'A zone by name or id',
      ...PROPOSED_ZONES,
    },
  ],
};

/** Any number of zones. */
export const ZONE_ARGUMENTS: ArgumentsFor<readonly ScopeRef[]> = {
  kind: 'array',
  parameter: {
    parse: zoneRef,
    placeholder: 'ZONE',
    brief: 'Zones by name or id (default: of the project)',
    ...PROPOSED_ZONES,
  },
};

function zoneRef(text: string): ScopeRef {
  const ref = parseScopeName(text);
  if (ref?.kind !== 'zone') {
    throw new Error('expected a zone, such as shop.example');
  }
  return ref;
}

/** A scope and a ruleset in it. */
export type RulesetArguments = readonly [scope: ScopeRef, ruleset: RulesetName];

/** The arguments SCOPE and RULESET. */
export const RULESET_ARGUMENTS: ArgumentsFor<RulesetArguments> = {
  kind: 'tuple',
  parameters: [
    {
      parse: scope,
      placeholder: 'SCOPE',
      brief: 'A zone by name or id, or account:NAME',
      ...PROPOSED_ZONES,
    },
    {
      parse: ruleset,
      placeholder: 'RULESET',
      brief: 'PHASE, PHASE/custom:NAME, or an id',
      ...PROPOSED_RULESETS,
    },
  ],
};

function scope(text: string): ScopeRef {
  const ref = parseScopeName(text);
  if (ref === null) {
    throw new Error('expected a scope, such as shop.example, zone:shop.example, account:Shop');
  }
  return ref;
}

/** A scope, and a ruleset, list or setting in it. */
export type RollbackArguments = readonly [scope: ScopeRef, name: RulesetName | ObjectName];

/** The arguments SCOPE and RULESET, where lists and settings may stand in place of a ruleset. */
export const ROLLBACK_ARGUMENTS: ArgumentsFor<RollbackArguments> = {
  kind: 'tuple',
  parameters: [
    RULESET_ARGUMENTS.parameters[0],
    {
      parse: (text) => parseObjectName(text) ?? ruleset(text),
      placeholder: 'RULESET',
      brief: 'PHASE, PHASE/custom:NAME, an id, list:NAME, or setting:NAME',
      ...PROPOSED_RULESETS,
    },
  ],
};

function ruleset(text: string): RulesetName {
  const [, kind] = /^(list|setting):/u.exec(text) ?? [];
  if (kind !== undefined) {
    throw new Error(
      `a ${kind} has no versions, since the service keeps none; rulewright rollback SCOPE ${kind}:NAME undoes what the last run in the journal did to it, and plan --reverse PLAN.json a saved plan`,
    );
  }
  const name = parseRulesetName(text);
  if (name === null) {
    throw new Error('expected a ruleset, such as http_ratelimit, http_ratelimit/custom:login, or an id');
  }
  return name;
}
