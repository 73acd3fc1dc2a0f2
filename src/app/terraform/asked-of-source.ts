import { textOf } from '../../data/index.ts';
import type { StatedAddress } from '../../import/index.ts';
import type { WantedScope } from '../import/find-scopes.ts';
import { addressesOf, scopeIn } from './stated-import.ts';
import type { OpenedSource } from './stated-import.ts';

/** Keeps of a source what is of these scopes: of the others it neither declares secrets nor tells anything but their number. */
export function askedOfSource(opened: OpenedSource, wanted: readonly WantedScope[]): OpenedSource {
  const { resources, source } = opened;
  const ids = new Set(
    wanted.map((one) => (one.kind === 'found' ? one.scope.id : (scopeIn(one.label)?.id ?? ''))),
  );
  const scopes = new Map(
    (source.kind === 'terraform' ? source.state.instances : []).map(({ address, values }) => [
      address.instance,
      textOf(values['zone_id']) || textOf(values['account_id']),
    ]),
  );
  const rulesets = resources.rulesets.filter(({ scope }) => ids.has(scope.id));
  const lists = resources.lists.filter(({ accountId }) => ids.has(accountId));
  const settings = resources.settings.filter(({ zoneId }) => ids.has(zoneId));
  const left = resources.left.filter(({ address }) => {
    const id = scopes.get(address.instance) ?? '';
    return id === '' || ids.has(id);
  });
  const told = (some: typeof resources): readonly StatedAddress[] => [
    ...addressesOf(some),
    ...some.left.map(({ address }) => address),
  ];
  const asked = { ...resources, rulesets, lists, settings, left };
  const kept = new Set(told(asked).map(({ instance }) => instance));
  const secrets = resources.secrets.flatMap((secret) => {
    const addresses = secret.addresses.filter(({ instance }) => kept.has(instance));
    return addresses.length === 0 ? [] : [{ ...secret, addresses }];
  });
  const others = [...resources.others].flatMap(([type, zones]) => {
    const some = zones.filter((zone) => ids.has(zone));
    return some.length === 0 ? [] : [[type, some] as const];
  });
  return {
    ...opened,
    resources: { ...asked, secrets, others: new Map(others) },
    destination: opened.declare(secrets),
    notAsked: told(resources).flatMap(({ instance }) => (kept.has(instance) ? [] : [instance])),
  };
}
