import { namedId } from '../environment/ids.ts';
import { packageRows } from './catalogue-rows.ts';
import type { GroupRow, PackageRow, RuleRow } from './catalogue-rows.ts';

/** A rule with its place in the catalogue, which never changes. */
export interface WafRule {
  readonly row: RuleRow;
  /** The rule's number within its package, from 1; answers show it as text. */
  readonly priority: number;
  readonly group: WafGroup;
}

/** A group with its package. */
export interface WafGroup {
  readonly id: string;
  readonly row: GroupRow;
  readonly package: WafPackage;
}

/** A package with its groups and rules. */
export interface WafPackage {
  readonly id: string;
  readonly row: PackageRow;
  readonly groups: readonly WafGroup[];
  readonly rules: readonly WafRule[];
}

/** The packages of every zone that has the old WAF; ids are derived from the names. */
export const wafPackages: readonly WafPackage[] = packageRows.map(buildPackage);

/** Finds a package by its id. */
export function packageOf(id: string): WafPackage | undefined {
  return wafPackages.find((each) => each.id === id);
}

function buildPackage(row: PackageRow): WafPackage {
  const groups: WafGroup[] = [];
  const rules: WafRule[] = [];
  const built: WafPackage = { id: namedId('waf package', row.name), row, groups, rules };
  for (const groupRow of row.groups) {
    const group = { id: namedId('waf group', row.name, groupRow.name), row: groupRow, package: built };
    groups.push(group);
    for (const rule of groupRow.rules) {
      rules.push({ row: rule, priority: rules.length + 1, group });
    }
  }
  return built;
}
