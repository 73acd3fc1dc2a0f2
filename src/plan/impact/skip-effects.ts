import { canonicalJson, objectOf, omit, textOf } from '../../data/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { PHASES, phaseFacts, readSkip, skipsPhase } from '../../model/index.ts';
import { quoted } from '../../text/index.ts';
import { inWords, productName, REST } from './bypass.ts';
import type { SecurityImpact } from './security-effect.ts';
import { SAME, stronger, weaker } from './security-effect.ts';

/** What a skip skips, by key. */
type Targets = ReadonlyMap<string, SkipTarget>;

interface SkipTarget {
  /** Its name as `inWords` takes it. */
  readonly name: string;
  /** Keys of what it is a part of. */
  readonly within: readonly string[];
}

/** The phase whose rulesets and rules a skip may name (api.md 5.4). */
const NAMED = PHASES.find(({ hasExceptions }) => hasExceptions === true)?.name;

const CURRENT_RULESET = 'ruleset: current';
const CURRENT_PHASE = 'phase: current';

/** Compares what two skip rules skip (api.md 5.4), and whether they log it. A phase contains its rulesets, and these their rules. */
export function compareSkips(before: JsonObject, after: JsonObject): SecurityImpact {
  const [old, now] = [targetsOf(before), targetsOf(after)];
  const more = outside(now, old);
  const less = outside(old, now);
  const wordsOf = wordsWith({ ...objectOf(before['names']), ...objectOf(after['names']) });
  if (more.length > 0) {
    const also = less.length === 0 ? '' : `; no longer skips ${wordsOf(less)}`;
    return weaker(`skips ${wordsOf(more)}${also}`);
  }
  const loud = objectOf(before['logging'])['enabled'] !== false;
  const stillLoud = objectOf(after['logging'])['enabled'] !== false;
  if (loud && !stillLoud) {
    return weaker('skips silently');
  }
  return less.length > 0 ? stronger('skips less') : !loud && stillLoud ? stronger('logs its skips') : SAME;
}

/** Returns what one skip skips and another does not. */
function outside(some: Targets, others: Targets): readonly SkipTarget[] {
  return [...some].flatMap(([key, target]) =>
    [key, ...target.within].some((one) => others.has(one)) ? [] : [target],
  );
}

function wordsWith(names: JsonObject): (targets: readonly SkipTarget[]) => string {
  return (targets) =>
    inWords(new Set(targets.map(({ name }) => name)), (reference) => textOf(names[reference]) || undefined);
}

function targetsOf(value: JsonObject): Targets {
  const parameters = objectOf(value['parameters']);
  const phase = textOf(value['phase']);
  const skip = readSkip(parameters);
  const rest = omit(parameters, KNOWN);
  const around = phase === NAMED ? [CURRENT_RULESET, CURRENT_PHASE] : [`phase ${NAMED}`];
  const ruleset = (id: string): readonly [string, SkipTarget] => [
    `ruleset ${id}`,
    { name: `ruleset ${id}`, within: around },
  ];
  return new Map<string, SkipTarget>([
    ...(skip.ruleset ? [[CURRENT_RULESET, { name: REST, within: [CURRENT_PHASE] }] as const] : []),
    ...(skipsPhase(skip, phase, phase)
      ? [[CURRENT_PHASE, { name: 'the rest of its phase', within: [] }] as const]
      : []),
    ...skip.phases
      .filter((name) => name !== phase)
      .map(
        (name) => [`phase ${name}`, { name: phaseFacts(name)?.product ?? quoted(name), within: [] }] as const,
      ),
    ...skip.products.map((name) => [`product ${name}`, { name: productName(name), within: [] }] as const),
    ...skip.rulesets.map(ruleset),
    ...[...skip.rules].flatMap(([id, rules]) =>
      rules.map((rule) => {
        const name = `rule ${id} ${rule}`;
        return [name, { name, within: [`ruleset ${id}`, ...around] }] as const;
      }),
    ),
    ...Object.entries(rest).map(
      ([key, given]) => [`${key} ${canonicalJson(given)}`, { name: quoted(key), within: [] }] as const,
    ),
  ]);
}

const KNOWN = ['phase', 'phases', 'products', 'rules', 'ruleset', 'rulesets'];
