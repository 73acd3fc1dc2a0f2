import type { JsonValue } from '../data/index.ts';
import { mapTextsAndKeys, memoise } from '../data/index.ts';
import type { Plan } from '../model/index.ts';
import { plannedScopes, isId, wellKnownRuleset } from '../model/index.ts';
import { slug } from '../text/index.ts';
import type { WindowView } from '../text/index.ts';
import type { FieldRow } from './tree.ts';

/** What those who read a plan call things. */
export interface PlanNames {
  /**
   * Returns the name that files use for a ruleset id, such as `custom:login`, or the vendor's name of a managed rule; undefined if it is not
   * known.
   */
  readonly nameOf: (id: string) => string | undefined;
  /** How windows are shown. */
  readonly time: WindowView;
}

/**
 * Returns how a plan shows windows: in the time zone of its project, with how long is left at `now` (milliseconds since 1970); and a function that finds the names of the vendor's well-known rulesets, of the custom rulesets that the plan read, and of the
 * managed rules that it looked up. The scopes are searched when the first id that is not well known is asked for.
 */
export function planNames({ scopes }: Pick<Plan, 'scopes'>, now?: number): PlanNames {
  const read = memoise(
    () =>
      new Map(
        plannedScopes(scopes).flatMap(({ bases, managedRules = {} }) => [
          ...Object.entries(managedRules),
          ...bases.flatMap(({ base, target }) =>
            base.kind === 'version' && target.level === 'custom'
              ? [[base.id, `custom:${slug(target.name)}`] as const]
              : [],
          ),
        ]),
      ),
  );
  return {
    nameOf: (id) => wellKnownRuleset(id) ?? read().get(id),
    // All scopes of a plan are of one project.
    time: {
      timeZone: plannedScopes(scopes).find((plan) => plan.timeZone !== undefined)?.timeZone ?? 'UTC',
      ...(now === undefined ? {} : { now: Math.floor(now / 1000) }),
    },
  };
}

/** Puts the names of rulesets and managed rules before their ids in rows. */
export function namedRows(rows: readonly FieldRow[], { nameOf }: PlanNames): readonly FieldRow[] {
  const text = (said: string): string => {
    const name = isId(said) ? nameOf(said) : undefined;
    return name === undefined ? said : `${name} (${said})`;
  };
  // In labels an id of digits alone is quoted.
  const inLabel = (label: string): string =>
    label.replaceAll(/"?\b([0-9a-f]{32})\b"?/gu, (part, id: string) =>
      nameOf(id) === undefined ? part : text(id),
    );
  return rows.map(({ label, group, value }) => ({
    label: inLabel(label),
    group: inLabel(group),
    value: namedValue(value, (one) => mapTextsAndKeys(one, text)),
  }));
}

function namedValue(value: FieldRow['value'], of: (one: JsonValue) => JsonValue): FieldRow['value'] {
  switch (value.kind) {
    case 'told':
      return value;
    case 'is':
      return { kind: 'is', value: of(value.value) };
    default: {
      const { before, after } = value;
      return {
        kind: 'differs',
        ...(before === undefined ? {} : { before: of(before) }),
        ...(after === undefined ? {} : { after: of(after) }),
      };
    }
  }
}
