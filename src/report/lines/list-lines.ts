import { causeText } from '../../model/index.ts';
import type { ListStep, TextChange } from '../../model/index.ts';
import type { FieldRow } from '../field-rows.ts';
import type { Detail, Line } from '../layout.ts';
import { hanging, line, span } from '../layout.ts';
import { listKindText, listStateText, toldItems } from '../list-changes.ts';
import type { Telling } from '../telling.ts';
import { SYMBOLS } from '../telling.ts';
import { fieldLines } from './rule-lines.ts';
import type { FieldPlace } from './rule-lines.ts';

function describedAs({ operation }: ListStep, { before, after }: TextChange): FieldRow['value'] {
  return operation === 'create' ? { kind: 'is', value: after } : { kind: 'differs', before, after };
}

/** Returns lines about a list with what changes in its items. */
export function listLines(
  step: ListStep,
  { detail, ...place }: FieldPlace & { readonly telling: Telling; readonly detail: Detail | undefined },
): readonly Line[] {
  const { telling, indent } = place;
  const inner = { ...place, indent: indent + 2 };
  const { protection, description, operation, cause, target } = step;
  const symbols = SYMBOLS[telling.kind];
  const whole = operation === 'update' ? null : symbols[operation === 'create' ? 'add' : 'delete'];
  const state = listStateText(step, telling.kind);
  const { items, more } = toldItems(step, telling.kind, detail);
  return [
    line(
      indent,
      ...(whole === null ? [] : [span(whole.style, `${whole.sign} `)]),
      span('strong', target.name),
      ` · ${listKindText(step)}${state === '' ? '' : ` · ${state}`}`,
      ...(cause === undefined ? [] : [span('dim', `  ${causeText(cause)}`)]),
    ),
    ...(protection.kind === 'neutral' || telling.kind === 'drift'
      ? []
      : fieldLines(
          [
            {
              label: protection.kind === 'weakening' ? 'weakens' : 'strengthens',
              group: '',
              value: { kind: 'is', value: protection.reason },
            },
          ],
          inner,
        )),
    ...(description === undefined
      ? []
      : fieldLines([{ label: 'description', group: '', value: describedAs(step, description) }], inner)),
    ...items.map(({ kind, text }) =>
      hanging(inner.indent, 2, span(symbols[kind].style, `${symbols[kind].sign} `), text),
    ),
    ...(more === null ? [] : [line(inner.indent, span('dim', `${more}; --verbose lists them`))]),
  ];
}
