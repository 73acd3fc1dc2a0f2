import type { JsonObject } from '../../src/data/json.ts';
import { contentFromWire } from '../../src/model/rule.ts';
import type { LiveRule } from '../../src/model/rule.ts';
import type { LiveRuleset } from '../../src/model/ruleset.ts';
import type { Write } from '../../src/plan/requests/writes.ts';
import { id, liveRuleset } from './build.ts';

let made = 0x1000;

/** The identity rules of PUT (api.md 6.1) and positions (3.3): a model of the service without HTTP, for property tests. */
export function serve(before: LiveRuleset | null, write: Write): LiveRuleset | null {
  const rules = before?.rules ?? [];
  const next = (list: readonly LiveRule[], description = before?.description ?? ''): LiveRuleset => ({
    ...(before ?? liveRuleset([], { id: id((made += 1)), version: '0' })),
    description,
    rules: list,
    version: String(Number(before?.version ?? '0') + 1),
  });
  switch (write.kind) {
    case 'create-ruleset':
      return next(
        write.rules.map((rule) => define(rule, undefined)),
        write.description,
      );
    case 'put-ruleset': {
      const list = write.rules?.map((entry) => {
        const { id: ruleId, ref } = entry;
        const same =
          rules.find((rule) => rule.id === ruleId) ??
          (ruleId === undefined ? rules.find((rule) => rule.ref === ref) : undefined);
        if (typeof ruleId === 'string' && same === undefined) {
          throw new Error(`could not find rule with ID ${ruleId}`);
        }
        return same !== undefined && Object.keys(entry).length === 1 ? same : define(entry, same);
      });
      requireDistinct(list ?? []);
      return next(list ?? rules, write.description ?? undefined);
    }
    case 'add-rule':
      return next(place(rules, define(write.rule, undefined), behindId(rules, write.behind)));
    case 'patch-rule': {
      const same = rules.find((rule) => rule.id === write.ruleId);
      if (same === undefined) {
        throw new Error('no such rule');
      }
      const changed = write.rule === null ? same : define(write.rule, same);
      if (write.behind === null) {
        return next(rules.map((rule) => (rule === same ? changed : rule)));
      }
      const behind = behindId(rules, write.behind);
      return next(
        place(
          rules.filter((rule) => rule !== same),
          changed,
          behind,
        ),
      );
    }
    case 'delete-rule':
      return next(rules.filter((rule) => rule.id !== write.ruleId));
    case 'delete-ruleset':
      return null;
    default:
      return write satisfies never;
  }
}

function define(wire: JsonObject, same: LiveRule | undefined): LiveRule {
  const ruleId = same?.id ?? id((made += 1));
  const { ref } = wire;
  return {
    id: ruleId,
    ref: typeof ref === 'string' ? ref : (same?.ref ?? ruleId),
    content: contentFromWire(wire),
  };
}

/** The id of the rule to stand behind; null means the first place. */
function behindId(
  rules: readonly LiveRule[],
  behind: NonNullable<Extract<Write, { kind: 'patch-rule' }>['behind']>,
): string | null {
  if (behind.kind === 'first') {
    return null;
  }
  const anchor = rules.find((rule) =>
    behind.kind === 'live' ? rule.id === behind.id : rule.ref === behind.ref,
  );
  if (anchor === undefined) {
    throw new Error('the anchor is not there');
  }
  return anchor.id;
}

function place(rules: readonly LiveRule[], rule: LiveRule, behind: string | null): readonly LiveRule[] {
  const at = behind === null ? 0 : rules.findIndex((other) => other.id === behind) + 1;
  if (behind !== null && at === 0) {
    throw new Error('a rule cannot stand behind itself');
  }
  const list = [...rules.slice(0, at), rule, ...rules.slice(at)];
  requireDistinct(list);
  return list;
}

function requireDistinct(rules: readonly LiveRule[]): void {
  if (
    new Set(rules.map((rule) => rule.ref)).size !== rules.length ||
    new Set(rules.map((rule) => rule.id)).size !== rules.length
  ) {
    throw new Error('two rules with one ref or id');
  }
}
