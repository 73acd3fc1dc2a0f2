import { phaseFacts } from '../model/index.ts';
import type { ScopeKind, ScopeRef, NotSimulated, OldRules, RulePlace, RuleVerdict } from '../model/index.ts';
import type { PreparedZone } from './prepared.ts';
import { phaseSkippedBy } from './trace.ts';
import type { UnknownRules, TraceState } from './trace.ts';

/**
 * Whether rules of a phase can end a request, skip others, or change what later rules see. Rules of other request phases leave settings and headers
 * for the origin, run later, or, as those against DDoS, do the same whether there are any or not.
 */
function decides(phase: string): boolean {
  return phaseFacts(phase)?.decides === true;
}

/** Records that the files have no rules for a phase of a scope, although the service may have some. */
export function notePhase(way: TraceState, scope: ScopeRef, phase: string): void {
  if (comesBy(way, phase, scope.kind)) {
    way.gaps.push({ kind: 'phase', scope, phase });
  }
}

/** Records that the rules of the zone's account are not known. */
export function noteAccount(way: TraceState, { scopes }: PreparedZone, phase: string): void {
  if (scopes.every(({ scope }) => scope.kind !== 'account') && comesBy(way, phase, 'account')) {
    way.gaps.push({ kind: 'account', phase });
  }
}

/** The products by which a skip rule switches off what the service retires. */
const PRODUCTS: Readonly<Record<OldRules['old'], string | null>> = {
  'firewall-rules': null,
  'rate-limits': 'rateLimit',
  waf: 'waf',
};

/** Records what acts beside the rules of a phase. */
export function noteOld(way: TraceState, { old = [] }: PreparedZone, phase: string): void {
  const met = old.filter((rules) => {
    const product = PRODUCTS[rules.old];
    return (
      phaseFacts(phase)?.predecessor === rules.old &&
      way.end === undefined &&
      (product === null || !way.products.has(product))
    );
  });
  way.gaps.push(...met.map((rules) => ({ kind: 'old', rules }) as const));
}

/** Whether rules of a level in a phase would run for the request, and could decide about it. */
function comesBy(way: TraceState, phase: string, level: ScopeKind): boolean {
  return (
    decides(phase) &&
    phaseFacts(phase)?.entrypoints.includes(level) === true &&
    way.end === undefined &&
    phaseSkippedBy(way.skips, phase, level) === undefined
  );
}

/** Matches paths that URL normalization would change: dot segments, adjacent slashes, `\`, needless escapes (RFC 3986, 6.2.2). */
export const NOT_NORMAL =
  /\/(?:\.|%2e){1,2}(?:\/|$)|\/\/|\\|%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/iu;

interface DescribedWay {
  readonly verdicts: readonly RuleVerdict[];
  readonly path: string;
  readonly zone: string;
}

/** Returns what was not simulated, without repetitions, and whether the outcome is certain nevertheless. */
export function describeGaps(
  gaps: readonly UnknownRules[],
  { verdicts, path, zone }: DescribedWay,
): { readonly certain: boolean; readonly notSimulated: readonly NotSimulated[] } {
  const blind = verdicts.filter(({ verdict }) => verdict === 'opaque' || verdict === 'undecided');
  const others = gaps.flatMap((gap) => (gap.kind === 'others' ? [gap.ruleset] : []));
  const phases = gaps.flatMap((gap) => (gap.kind === 'phase' ? [gap] : []));
  const old = gaps.flatMap((gap) => (gap.kind === 'old' ? [gap.rules] : []));
  const assumed = [
    ...(NOT_NORMAL.test(path) ? ['URL normalization leaves the path as it is'] : []),
    ...verdicts.filter(({ phase }) => decides(phase)).flatMap(({ assumes }) => assumes),
  ];
  const scopes = [...new Set(phases.map(({ scope }) => scope))];
  const hasAccount = gaps.every(({ kind }) => kind !== 'account');
  return {
    certain:
      phases.length === 0 &&
      old.length === 0 &&
      assumed.length === 0 &&
      hasAccount &&
      ![...others, ...blind].some(({ phase }) => decides(phase) || phaseFacts(phase) === undefined),
    notSimulated: [
      ...[...new Set(others)].map(({ scope, phase, name }): NotSimulated => ({
        kind: 'rules-of-others',
        scope: { kind: scope.kind, name: scope.name },
        phase,
        ruleset: name,
      })),
      ...blind.map(({ why, ...said }): NotSimulated => ({ kind: 'rule', why, ...placeOf(said) })),
      ...old.map((rules): NotSimulated => ({
        kind: 'old-rules',
        scope: { kind: 'zone', name: zone },
        ...rules,
      })),
      ...[...new Set(assumed)].map((text): NotSimulated => ({ kind: 'assumption', assumed: text })),
      ...scopes.map((scope): NotSimulated => ({
        kind: 'phases',
        scope: { kind: scope.kind, name: scope.name },
        phases: phases.filter((gap) => gap.scope === scope).map(({ phase }) => phase),
      })),
      ...(hasAccount ? [] : [{ kind: 'account' } as const]),
    ],
  };
}

function placeOf({ scope, phase, ruleset, rule, action, cause }: RulePlace): RulePlace {
  return { scope, phase, ruleset, rule, action, cause };
}
