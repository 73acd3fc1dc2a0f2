import { settingFacts, zoneName } from '../../model/index.ts';
import type {
  AuditEntry,
  ListStep,
  OwnWrites,
  RuleChange,
  Scope,
  SettingStep,
  Step,
} from '../../model/index.ts';

/** The part of a path below its zone or account; null for one of another scope. */
function within({ kind, id }: Scope, path: string): string | null {
  const prefix = `/${kind}s/${id}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : null;
}

/** What an entry did to a ruleset: to the list of its rules, or to one rule. */
export type RulesetWrite =
  | { readonly kind: 'whole' }
  | { readonly kind: 'added' }
  | { readonly kind: 'rule'; readonly id: string; readonly isDeletion: boolean };

/** Returns what an entry did to the ruleset of a step; null when it is about something else, or that is not certain. */
export function rulesetWriteOf(
  entry: AuditEntry,
  { id: stepId, base, target }: Step,
  { scope, own }: { readonly scope: Scope; readonly own: OwnWrites },
): RulesetWrite | null {
  // Of a ruleset that is gone the service tells no id.
  const id = base.kind === 'version' ? base.id : own.rulesets.get(stepId);
  if (entry.path === null) {
    return id !== undefined && entry.resource === id ? { kind: 'whole' } : null;
  }
  const rest = within(scope, entry.path);
  if (rest === null) {
    return null;
  }
  if (rest === 'rulesets') {
    const isOwn = own.ids.get(entry.id) === stepId || own.ids.get(entry.ray) === stepId;
    return isOwn || (id !== undefined && entry.resource === id) ? { kind: 'whole' } : null;
  }
  if (target.level !== 'custom' && rest === `rulesets/phases/${target.phase}/entrypoint`) {
    return { kind: 'whole' };
  }
  const [, ruleset, , rule] = /^rulesets\/([0-9a-f]{32})(\/rules(?:\/([0-9a-f]{32}))?)?$/u.exec(rest) ?? [];
  if (ruleset === undefined || ruleset !== id) {
    return null;
  }
  if (rule !== undefined) {
    return { kind: 'rule', id: rule, isDeletion: entry.method === 'DELETE' };
  }
  return rest.endsWith('/rules') ? { kind: 'added' } : { kind: 'whole' };
}

/** Whether a write of a ruleset may have made a difference of one rule. */
export function mayMake(
  write: RulesetWrite,
  change: RuleChange,
  { ref, live }: { readonly ref: string | null; readonly live: ReadonlySet<string> },
): boolean {
  switch (write.kind) {
    case 'whole':
      return true;
    case 'added':
      // A new rule changes no other one but its place.
      return change.kind === 'delete' ? ref === null || ref === change.ref : change.kind === 'move';
    default:
      // A rule that is missing has lost its id: it was one that is not live.
      return change.kind === 'add'
        ? write.isDeletion && !live.has(write.id)
        : write.id === change.id || (change.kind === 'move' && !write.isDeletion);
  }
}

/** Whether an entry is about a list. */
export function concernsList({ path, resource }: AuditEntry, { base }: ListStep, scope: Scope): boolean {
  if (base.kind === 'absent') {
    return false;
  }
  if (path === null) {
    return resource === base.id;
  }
  const rest = within(scope, path);
  return rest === 'rules/lists'
    ? resource === base.id
    : rest !== null && (rest === `rules/lists/${base.id}` || rest === `rules/lists/${base.id}/items`);
}

/** Whether an entry is about a setting of a zone. */
export function concernsSetting(
  { path, setting }: AuditEntry,
  { target: { name } }: SettingStep,
  scope: Scope,
): boolean {
  const facts = settingFacts(name);
  if (facts === undefined) {
    return false;
  }
  if (path !== null) {
    return within(scope, path) === facts.path.slice(1);
  }
  return (
    setting !== null && setting.zone === zoneName(scope).bare && facts.path === `/settings/${setting.name}`
  );
}
