import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourceSpan } from '../../model/source.ts';
import { formatPlace } from '../../model/source.ts';
import type { DiagnosticCode } from '../source/diagnostic-codes.ts';
import { finding } from '../source/finding.ts';
import { didYouMean } from '../schema/suggest.ts';
import { spanAt } from '../source/source-text.ts';
import { scalarOffsets } from '../yaml/scalar-offsets.ts';
import { locateKey, scalarAt, throughUses } from '../yaml/yaml-document.ts';
import type { Graft } from '../yaml/yaml-document.ts';
import type { FillProblem } from './fill-text.ts';
import { kindOfContent } from './variable.ts';
import type { Variable } from './variable.ts';

/** A finding before its location is known. */
interface Told {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Returns the finding about a variable that could not be put in; `known` are the names that the place can use. */
export function fillFinding(place: Graft, problem: FillProblem, known: readonly string[]): Diagnostic {
  return finding(
    ...withPlace(tell(problem, known), problem.kind === 'in-key' ? keyAt(place) : at(place, problem)),
  );
}

function withPlace({ code, message, hint }: Told, where: SourceSpan): Parameters<typeof finding> {
  return [code, { message, hint, where }];
}

function tell(problem: FillProblem, known: readonly string[]): Told {
  const { kind, name, variable } = problem;
  const declared = declaredAt(variable);
  switch (kind) {
    case 'undefined':
      return {
        code: 'variable/undefined',
        message: `there is no variable \`${name}\` here`,
        hint:
          didYouMean(name, known) ??
          'declare it under `vars`, or under `env` if the environment has it; for the text `${` itself, write `$${`',
      };
    case 'malformed':
      return {
        code: 'variable/malformed',
        message: '`${` begins the name of a variable: letters, digits and `_`, and then `}`',
        hint: 'a variable is written `${name}`, without dots or defaults; for the text `${` itself, write `$${`',
      };
    case 'in-key':
      return {
        code: 'variable/in-key',
        message: `the variable \`${name}\` is in a key, where variables are not filled in`,
        hint: 'write the key itself',
      };
    case 'unset':
      return {
        code: 'variable/unset',
        message: `the environment variable ${variable?.content.kind === 'unset' ? variable.content.env : ''}, which \`${name}\` stands for, is not set`,
        hint: `set it, or give a \`default\`${declared}`,
      };
    case 'expression-in-text':
      return {
        code: 'variable/wrong-kind',
        message: `\`${name}\` is an expression, which can be used only in expressions, outside of quotes`,
        hint: `give it the type \`string\`${declared}`,
      };
    case 'list-in-text':
    case 'list-as-value':
    case 'value-as-list':
    case 'text-as-number':
    case 'number-as-text':
      return wrongKind(problem, WRONG_KINDS[kind]);
    case 'in-escape':
      return {
        code: 'variable/closes-quote',
        message: `the \`\\\` before \`\${${name}}\` would turn the beginning of its value into an escape`,
        hint: 'write `\\\\` for a backslash',
      };
    default:
      return {
        code: 'variable/closes-quote',
        message: `the value of \`${name}\` has characters that would end the literal around it, or that no literal can hold`,
        hint: `write the variable without quotes, as in \`eq \${${name}}\`, which spells any text safely${declared}`,
      };
  }
}

interface WrongKind {
  readonly wanted: string;
  /** What the items are, for a list that has the wrong ones. */
  readonly items?: string;
  readonly hint: (name: string) => string;
}

const WRONG_KINDS = {
  'list-in-text': {
    wanted: 'a string is expected here',
    hint: (name) => `compare with \`in \${${name}}\`, outside of quotes`,
  },
  'list-as-value': {
    wanted: 'one value is expected here',
    hint: (name) => `compare with \`in \${${name}}\``,
  },
  'value-as-list': {
    wanted: 'a list is expected after `in`',
    hint: (name) => `compare with \`eq \${${name}}\`, or write \`in {\${${name}}}\``,
  },
  'text-as-number': {
    wanted: 'only numbers are compared here',
    items: 'strings',
    hint: () => 'write its value without quotes',
  },
  'number-as-text': {
    wanted: 'only strings are compared here',
    items: 'numbers',
    hint: () => 'put its value in quotes',
  },
} as const satisfies Partial<Record<FillProblem['kind'], WrongKind>>;

function wrongKind({ name, variable }: FillProblem, { wanted, items, hint }: WrongKind): Told {
  const kind = variable === undefined ? 'a list' : kindOfContent(variable.content);
  const which = kind === 'a list' && items !== undefined ? `${kind} with ${items}` : kind;
  return {
    code: 'variable/wrong-kind',
    message: `\`${name}\` is ${which}, and ${wanted}`,
    hint: `${hint(name)}${declaredAt(variable)}`,
  };
}

function declaredAt(variable: Variable | undefined): string {
  return variable === undefined ? '' : `; it is declared at ${formatPlace(variable.where)}`;
}

function keyAt({ document, path, via }: Graft): SourceSpan {
  return throughUses(locateKey(document, path), via);
}

/** Returns the exact characters of the variable in the file, or else the key of the text. */
function at({ document, path, via }: Graft, { start, end }: FillProblem): SourceSpan {
  const scalar = scalarAt(document, path);
  const offsets = scalar === undefined ? undefined : scalarOffsets(document.source.text, scalar);
  return throughUses(
    offsets === undefined
      ? locateKey(document, path)
      : spanAt(document.source, offsets.start(start), offsets.end(start, end)),
    via,
  );
}
