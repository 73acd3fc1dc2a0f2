import type { SecretVariable } from '../../config/index.ts';
import { withReferences } from '../../api/index.ts';
import { mapTexts } from '../../data/index.ts';
import type { LeftInSource, StatedResources, StatedRuleset, StatedAddress } from '../../import/index.ts';
import { secretsOfRule } from '../../import/index.ts';
import type { Environment, SensitiveValue } from '../../model/index.ts';
import { isCredential, referenceTo } from '../../model/index.ts';

/** A secret of a state, which files have as a sensitive variable. */
export interface DeclaredSecret extends SecretVariable {
  readonly value: string;
  /** What holds it: the name of a header, or the key of a parameter. */
  readonly holder: string;
  readonly addresses: readonly StatedAddress[];
}

/** The resources of a state without secrets: references stand for those. */
export interface GuardedResources extends StatedResources {
  readonly secrets: readonly DeclaredSecret[];
}

/**
 * Replaces the secrets of a state by references to sensitive variables: what is `known` by those of the project, everything else by new ones, which
 * avoid the names that are `taken`. A ruleset whose secret cannot be told apart from the rest is left in Terraform.
 */
export function declareSecrets(
  resources: StatedResources,
  {
    known,
    taken,
    environment,
  }: {
    readonly known: readonly SensitiveValue[];
    readonly taken: Iterable<string>;
    readonly environment: Environment;
  },
): GuardedResources {
  const names = new Set(taken);
  const secrets = new Map<string, DeclaredSecret>();
  const left: LeftInSource[] = [...resources.left];
  const rulesets = resources.rulesets.map((ruleset) => withReferencesIn(ruleset, known));
  const told = rulesets.filter((ruleset) => {
    const found = secretsOf(ruleset);
    if (typeof found === 'string') {
      left.push({ address: ruleset.address, why: found });
      return false;
    }
    for (const { text, name } of found) {
      const before = secrets.get(text);
      const addresses = [...new Set([...(before?.addresses ?? []), ruleset.address])];
      secrets.set(text, { ...(before ?? newSecret(text, name, { names, environment })), addresses });
    }
    return true;
  });
  const declared = [...secrets.values()];
  const values = sensitiveValuesOf(declared, environment);
  const hidden = [...known, ...values];
  const lists = resources.lists.filter((list) => {
    const holds = hidden.some(({ value }) => JSON.stringify(list).includes(value));
    if (holds) {
      const why = 'it holds a secret, and no variable can stand in a list';
      left.push(...[list.address, ...list.itemAddresses].map((address) => ({ address, why })));
    }
    return !holds;
  });
  return {
    ...resources,
    rulesets: told.map((ruleset) => withReferencesIn(ruleset, values)),
    lists,
    left,
    secrets: declared,
  };
}

/** Returns the values of declared secrets with the references that stand for them. */
export function sensitiveValuesOf(
  secrets: readonly DeclaredSecret[],
  environment: Environment,
): readonly SensitiveValue[] {
  const full = withValues(environment, secrets);
  return secrets.map(({ from, value }) => ({ reference: referenceTo(from, full), value }));
}

/** Returns the environment as it has to be for a plan: with the values of declared secrets. */
export function withValues(environment: Environment, secrets: readonly DeclaredSecret[]): Environment {
  return { ...environment, ...Object.fromEntries(secrets.map(({ from, value }) => [from, value])) };
}

function secretsOf({ rules, phase, marked, name, description }: StatedRuleset) {
  const about = [...marked.attributes].filter((key) => key !== 'rules');
  if (about.some((key) => (key === 'name' && name !== '') || (key === 'description' && description !== ''))) {
    return `Terraform marks its ${about.join(' and ')} as sensitive, and a file would show it`;
  }
  const all = rules.map(({ id, ref, wire }, index) => ({
    id,
    ref,
    found: secretsOfRule(wire, { phase, index, marked }),
  }));
  const untold = all.find(({ found }) => found.kind === 'untold');
  if (untold?.found.kind === 'untold') {
    return `rule ${untold.ref === '' ? untold.id : untold.ref}: ${untold.found.why}`;
  }
  return all.flatMap(({ found }) => (found.kind === 'told' ? found.secrets : []));
}

function withReferencesIn(ruleset: StatedRuleset, values: readonly SensitiveValue[]): StatedRuleset {
  const replaced = (text: string): string => withReferences(text, values);
  return values.length === 0
    ? ruleset
    : {
        ...ruleset,
        description: replaced(ruleset.description),
        rules: ruleset.rules.map((rule) => ({ ...rule, wire: mapTexts(rule.wire, replaced) })),
      };
}

function newSecret(
  value: string,
  holder: string,
  { names, environment }: { readonly names: Set<string>; readonly environment: Environment },
): Omit<DeclaredSecret, 'addresses'> {
  const stem = variableName(holder);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? stem : `${stem}_${count}`;
    const from = name.toUpperCase();
    const isFree = environment[from] === undefined || environment[from] === value;
    if (!names.has(name) && isFree && !isCredential(from)) {
      names.add(name);
      return { name, from, value, holder };
    }
  }
}

/** Returns a name for a variable, from what holds its value. */
export function variableName(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '')
    .slice(0, 60);
  return /^[a-z]/u.test(name) ? name : `secret${name === '' ? '' : `_${name}`}`;
}
