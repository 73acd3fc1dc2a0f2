import { parseExpression } from '../../expression/index.ts';
import type { ParseError } from '../../expression/index.ts';
import { zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { refuse } from '../protocol/refusal.ts';
import { CUSTOM_PHASE } from './custom-rules-view.ts';

/** Refuses an expression that no filter of the zone may have, for its size, its syntax, or what the plan lacks. */
export function checkFilterExpression(call: ScopedCall, text: string, pointer: string): void {
  const fault = call.service.checkExpression({
    text,
    field: 'expression',
    mode: 'filter',
    phase: CUSTOM_PHASE,
    plan: zoneOf(call).plan,
  });
  if (fault !== undefined) {
    const blank = text.trim() === '';
    const message = blank ? fault.message : (oldParseError(text) ?? fault.message);
    throw refuse(400, message, { code: blank ? fault.code : undefined, pointer });
  }
}

/**
 * Returns the old interface's error for an expression that does not parse: the line in back-quotes, carets below the
 * error, and the reason (api.md 9.2 and its samples). Undefined when the expression parses.
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
