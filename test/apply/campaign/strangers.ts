import { addRule, deleteRule, updateRule, updateRuleset } from '../../api/ruleset-writes.ts';
import type { WriteClient } from '../../../src/api/client.ts';
import { getRuleset, listRulesets } from '../../../src/api/rulesets.ts';
import type { JsonObject } from '../../../src/data/json.ts';
import { ruleToWire } from '../../../src/model/rule.ts';
import type { LiveRule } from '../../../src/model/rule.ts';
import type { LiveRuleset } from '../../../src/model/ruleset.ts';
import type { Scope } from '../../../src/model/scope.ts';

/** What somebody else does in a ruleset. `replace` replaces its whole list of rules, as other tools do. */
export const ACTS = ['add', 'add nameless', 'delete', 'patch', 'move', 'replace'] as const;

/** One visit of somebody else. */
export interface Visit {
  readonly act: (typeof ACTS)[number];
  /** Selects the ruleset, rule and position. */
  readonly seed: number;
}

/** A rule of others as it should be live. */
export interface Wish {
  /** Undefined for a rule that they added without a ref. */
  readonly ref: string | undefined;
  readonly action: string;
}

/** Others who write to their own rules in the rulesets of a scope, and what they want there. */
export interface Strangers {
  /** Their rules, by the mark that each has in its expression. */
  readonly wishes: ReadonlyMap<string, Wish>;
  /** The marks of their rules in the order they want, by the id of the ruleset. */
  readonly orders: ReadonlyMap<string, readonly string[]>;
  /** The marks of rules that they deleted. */
  readonly gone: ReadonlySet<string>;
  visit(visit: Visit): Promise<void>;
  rulesets(): Promise<readonly LiveRuleset[]>;
}

/** The mark of a rule of others; undefined for all other rules. */
export function markOf({ content }: LiveRule): string | undefined {
  return /"(mark\d+)\.theirs"/.exec(content.expression ?? '')?.[1];
}

/** Creates strangers who write to the entry points of these phases and to the custom ruleset Inner, without the proxy. */
export function openStrangers(client: WriteClient, scope: Scope, phases: readonly string[]): Strangers {
  const wishes = new Map<string, Wish>();
  const gone = new Set<string>();
  const orders = new Map<string, readonly string[]>();
  let count = 0;
  const made = (phase: string, isNamed: boolean): JsonObject => {
    count += 1;
    const mark = `mark${count}`;
    const ref = isNamed ? `theirs-${count}` : undefined;
    wishes.set(mark, { ref, action: 'block' });
    return {
      ...(ref === undefined ? {} : { ref }),
      action: 'block',
      expression: `http.host eq "${mark}.theirs"`,
      ...(phase === 'http_ratelimit' ? LIMIT : {}),
    };
  };
  const rulesets = async (): Promise<readonly LiveRuleset[]> => {
    const heads = (await listRulesets(client, scope)).filter(
      ({ kind, phase, name }) => phases.includes(phase) && (kind === 'zone' || name === 'Inner'),
    );
    const found = await Promise.all(heads.map(({ id }) => getRuleset(client, scope, id)));
    const nameOf = ({ phase, name }: LiveRuleset): string => `${phase}/${name}`;
    return found.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
  };
  /** Records that they want a rule after the one of theirs that it follows now. */
  const placed = async (mark: string, id: string): Promise<void> => {
    const { rules } = await getRuleset(client, scope, id);
    const now = rules.flatMap((rule) => markOf(rule) ?? []);
    const others = (orders.get(id) ?? []).filter((one) => one !== mark);
    const before = now.slice(0, now.indexOf(mark)).findLast((one) => others.includes(one));
    orders.set(id, others.toSpliced(before === undefined ? 0 : others.indexOf(before) + 1, 0, mark));
  };
  return {
    wishes,
    orders,
    gone,
    rulesets,
    async visit({ act, seed }) {
      const ruleset = pick(await rulesets(), seed);
      if (ruleset === undefined) {
        return;
      }
      const { id: rulesetId, phase, rules } = ruleset;
      const place = seed % 4 === 0 ? { before: '' } : { after: pick(rules, seed >> 5)?.id ?? '' };
      if (act === 'replace') {
        const list = rules.map((rule): JsonObject => ({ id: rule.id, ...ruleToWire(rule) }));
        const at = seed % (rules.length + 1);
        await updateRuleset(client, scope, rulesetId, {
          rules: list.toSpliced(at, 0, made(phase, seed % 2 === 0)),
        });
        await placed(`mark${count}`, rulesetId);
        return;
      }
      if (act === 'add' || act === 'add nameless') {
        await addRule(
          client,
          { scope, rulesetId },
          made(phase, act === 'add'),
          rules.length === 0 ? undefined : place,
        );
        await placed(`mark${count}`, rulesetId);
        return;
      }
      const rule = pick(
        rules.filter((one) => markOf(one) !== undefined),
        seed >> 3,
      );
      const mark = rule === undefined ? undefined : markOf(rule);
      if (rule === undefined || mark === undefined) {
        return;
      }
      const at = { scope, rulesetId, ruleId: rule.id };
      if (act === 'delete') {
        wishes.delete(mark);
        gone.add(mark);
        await deleteRule(client, at);
      } else if (act === 'patch') {
        const action = rule.content.action === 'block' ? 'log' : 'block';
        wishes.set(mark, { ref: wishes.get(mark)?.ref, action });
        await updateRule(client, at, { ...ruleToWire(rule), action });
      } else {
        await updateRule(client, at, null, place.after === rule.id ? { before: '' } : place);
        await placed(mark, rulesetId);
      }
    },
  };
}

const LIMIT = {
  ratelimit: { characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: 3 },
};

function pick<Item>(items: readonly Item[], seed: number): Item | undefined {
  return items[seed % Math.max(1, items.length)];
}
