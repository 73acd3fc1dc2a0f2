import { describedName } from '../../model/described-name.ts';
import type { ServiceRefusal } from '../../model/outcome.ts';
import type { Line } from '../layout.ts';
import { line, span } from '../layout.ts';
import { messageLines } from './message.ts';
import { causeText } from '../../model/source.ts';

/** Returns lines about what the service refuses, each with the rule and its place in the files. */
export function refusalLines(refusals: readonly ServiceRefusal[], indent: number): readonly Line[] {
  return refusals.flatMap(({ rule, description = '', cause, message, code, pointer }) => {
    const about = [
      ...(code === undefined ? [] : [`code ${code}`]),
      ...(pointer === undefined || pointer === '' ? [] : [`at ${pointer}`]),
    ].join(', ');
    const head =
      rule === undefined
        ? []
        : [
            line(
              indent,
              span('strong', describedName(rule, description)),
              ...(cause === undefined ? [] : [`  ${causeText(cause)}`]),
            ),
          ];
    const inner = rule === undefined ? indent : indent + 2;
    return [
      ...head,
      ...messageLines(inner, message),
      ...(about === '' ? [] : [line(inner, span('dim', about))]),
    ];
  });
}
