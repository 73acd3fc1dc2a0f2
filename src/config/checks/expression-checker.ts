import { checkCharacteristic, checkExpression, utf16Offsets } from '../../expression/index.ts';
import type { CheckContext, Finding, Fix } from '../../expression/index.ts';
import type { Severity, ScopeKind, ExpressionRole } from '../../model/index.ts';
import { phaseFacts, hasReference } from '../../model/index.ts';
import { createCameBefore, createLimitedMap } from '../../data/index.ts';

/** Where an expression stands. */
export interface ExpressionContext {
  readonly role: ExpressionRole;
  readonly phase: string;
  readonly level: ScopeKind;
  /** Whether the rule stands in an entry point, rather than in a custom ruleset; what that decides is not checked where it is not known. */
  readonly isEntryPoint?: boolean;
}

/** A finding about an expression. Offsets count UTF-16 units of its text; `end` is exclusive. */
export interface ExpressionFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string | undefined;
  /** As in findings of the rules language. */
  readonly kind?: Finding['kind'] | undefined;
  readonly start: number;
  readonly end: number;
  /** A change of the text that is safe to make without review. */
  readonly fix?: ExpressionFix | undefined;
}

/** A stretch of an expression and its replacement, with offsets as in the finding. */
export interface ExpressionFix {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Checks the text of an expression. Never throws. */
export type ExpressionChecker = (text: string, context: ExpressionContext) => readonly ExpressionFinding[];

/** Functions that may be called to locate a credential (api.md 3.2). */
const CREDENTIAL_FUNCTIONS = new Set(['upper', 'lower', 'url_decode', 'lookup_json_string']);

/** How the rules language checks each role. */
const CONTEXTS = {
  filter: { use: 'filter' },
  counting: { use: 'counting' },
  text: { use: 'value', valueType: 'Bytes' },
  texts: { use: 'value', valueType: 'Array<Bytes>' },
  credential: { use: 'value', valueType: 'Bytes', functions: CREDENTIAL_FUNCTIONS },
} as const satisfies Record<Exclude<ExpressionRole, 'characteristic'>, CheckContext>;

/** Checks an expression with the rules language. Warnings that depend on a sensitive value are dropped, since nothing is known of the value. */
export const checkWithLanguage: ExpressionChecker = (text, { role, phase, level, isEntryPoint }) => {
  const findings =
    role === 'characteristic'
      ? checkCharacteristic(text)
      : checkExpression(text, {
          // Nothing is known of what belongs to a phase that this version does not know.
          ...(phaseFacts(phase) === undefined ? {} : { phase }),
          level,
          isScope: role === 'filter' && level === 'account' && isEntryPoint === true,
          ...CONTEXTS[role],
        }).findings;
  const offsets = utf16Offsets(text);
  return findings
    .map((finding) => inUnits(finding, offsets))
    .filter(({ code, severity, start, end }) => {
      const about = OF_SEVERAL.has(code) ? text : text.slice(start, end);
      return severity === 'error' || !hasReference(about);
    });
};

/** Codes of findings that several tests cause together: a sensitive value anywhere in the expression leaves such a warning without a basis. */
const OF_SEVERAL: ReadonlySet<string> = new Set(['expression/never-true', 'expression/always-true']);

/** Most texts whose findings are kept. */
const MAX_KNOWN = 10_000;

/**
 * Wraps a checker so that it reuses findings for a text that comes again in the same role, phase, level and kind of ruleset: packs bring one text into a hundred
 * zones. Findings are kept from the second time on; most texts come once, and keeping those would make the heap grow.
 */
export function checkOnce(check: ExpressionChecker): ExpressionChecker {
  const known = createLimitedMap<readonly ExpressionFinding[]>(MAX_KNOWN);
  const cameBefore = createCameBefore();
  return (text, context) => {
    const key = `${context.role} ${context.phase} ${context.level} ${String(context.isEntryPoint)} ${text}`;
    const before = known.get(key);
    if (before !== undefined) {
      return before;
    }
    const findings = check(text, context);
    return cameBefore(key) ? known.keep(key, findings) : findings;
  };
}

/** Converts an offset in bytes to an offset in UTF-16 units. */
type Offsets = (byteOffset: number) => number;

const BLANK = "write 'true', in quotes, to match everything: without them YAML reads a boolean";

function inUnits(found: Finding, offsets: Offsets): ExpressionFinding {
  const { code, severity, message, kind, span, fix } = found;
  const hint = code === 'expression/blank' ? BLANK : found.hint;
  return {
    code,
    severity,
    message,
    hint,
    kind,
    start: offsets(span.start),
    end: offsets(span.end),
    fix: fix && fixInUnits(fix, offsets),
  };
}

function fixInUnits({ span, replacement }: Fix, offsets: Offsets): ExpressionFix {
  return { start: offsets(span.start), end: offsets(span.end), replacement };
}
