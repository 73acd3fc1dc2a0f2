import type { Argument, Call } from '../language/ast.ts';
import { FUNCTIONS } from '../language/catalogue.ts';
import type { ValueRule } from '../language/catalogue.ts';
import { regexProblem } from '../regex/check.ts';
import { showBytes } from '../language/source.ts';
import { parseWildcard } from '../values/wildcard.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';
import { plainField } from '../language/field-tests.ts';

const MOST_REFERENCES = 8;

/** Reports argument values that a function does not accept, beyond those that the parser itself refuses. */
export function checkArgumentValues({ calls }: Subject, report: Report): void {
  for (const call of calls) {
    const { name, arguments: given } = call;
    checkSubstring(call, report);
    const values = FUNCTIONS.get(name)?.values ?? [];
    for (const [index, argument] of given.entries()) {
      const rule = values[index];
      const problem = rule === undefined ? undefined : problemOf(rule, argument);
      if (problem !== undefined) {
        report('expression/argument-value', { message: `${name}(): ${problem}`, span: argument.span });
      }
    }
  }
}

function problemOf(rule: ValueRule, argument: Argument): string | undefined {
  if (rule.kind === 'fields') {
    const name = argument.kind === 'operand' ? plainField(argument) : undefined;
    return name !== undefined && rule.fields.includes(name)
      ? undefined
      : `takes only ${rule.fields.join(' or ')}`;
  }
  return argument.kind === 'bytes' ? problemOfText(rule, argument.value) : undefined;
}

function problemOfText(
  rule: Exclude<ValueRule, { readonly kind: 'fields' }>,
  value: string,
): string | undefined {
  switch (rule.kind) {
    case 'letters': {
      const wrong = Array.from(showBytes(value)).find((letter) => !rule.letters.includes(letter));
      return wrong === undefined
        ? undefined
        : `no option ${wrong}; there are ${Array.from(rule.letters).join(', ')}`;
    }
    case 'regex':
      return regexProblem(value)?.split('\n').at(-1);
    case 'wildcard': {
      const parsed = parseWildcard(value);
      return parsed.ok ? undefined : parsed.message;
    }
    case 'references':
      return problemOfReplacement(value);
    default:
      return rule satisfies never;
  }
}

/** `${1}` to `${8}` refer to groups or stars, at most eight of them; `$$` is a dollar sign. */
function problemOfReplacement(value: string): string | undefined {
  const references = [...value.matchAll(/\$\$|\$\{(\d+)\}/g)].flatMap(([, number]) =>
    number === undefined ? [] : [number],
  );
  const wrong = references.find((number) => Number(number) < 1 || Number(number) > MOST_REFERENCES);
  if (wrong !== undefined) {
    return `references are \${1} to \${${MOST_REFERENCES}}, not \${${wrong}}`;
  }
  return references.length > MOST_REFERENCES
    ? `has ${references.length} references, at most ${MOST_REFERENCES} are allowed`
    : undefined;
}

/** Reports `substring` with an end that is not after its start: the result is always empty. */
function checkSubstring({ name, span, arguments: [, from, until] }: Call, report: Report): void {
  if (name !== 'substring' || from?.kind !== 'int' || until?.kind !== 'int') {
    return;
  }
  const isSameSide = from.value < 0n === until.value < 0n;
  if (isSameSide && until.value <= from.value) {
    report('expression/argument-value', {
      message: `substring(): ${until.value} is not after ${from.value}, so the result is always empty`,
      severity: 'warning',
      hint: 'its arguments are where the part starts and where it ends, not its length',
      span,
    });
  }
}
