import { parseExpression, type ParseError } from '../../expression/index.ts';
import type { ScopedCall } from '../call.ts';
import { type Refusal, refuse, serviceError } from '../protocol/refusal.ts';
import { zoneOf } from '../zone-objects.ts';
import { CUSTOM_PHASE } from './custom-rules-view.ts';

/** The refusal of an expression that no filter of the zone may have: size, syntax, what the plan lacks. */
export function filterExpressionProblem(
  call: ScopedCall,
  text: string,
  pointer: string,
): Refusal | undefined {
  const fault = call.service.checkExpression({
    text,
    field: 'expression',
    mode: 'filter',
    phase: CUSTOM_PHASE,
    plan: zoneOf(call).plan,
  });
  if (fault === undefined) {
    return undefined;
  }
  return text.trim() === ''
    ? refuse(400, serviceError(fault.message, fault.code, pointer))
    : refuse(400, serviceError(oldParseError(text) ?? fault.message, undefined, pointer));
}

/**
 * What the old interface says about an expression that does not parse: the line in back-quotes, carets below what is
 * wrong, the reason (api.md 9.2 and its samples). Undefined when it parses.
 */
export function oldParseError(text: string): string | undefined {
  const parsed = parseExpression(text, { mode: 'filter' });
  return parsed.ok ? undefined : formatOld(text, parsed.error);
}

function formatOld(text: string, { line, column, length, message }: ParseError): string {
  const shown = text.split('\n')[line - 1] ?? '';
  const carets = ' '.repeat(column + 1) + '^'.repeat(Math.max(1, length));
  return `Filter parsing error:\n\`${shown}\`\n${carets} ${message}\n`;
}
