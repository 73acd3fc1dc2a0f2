import type { JsonValue } from '../../data/index.ts';
import type { SourceSpan, Diagnostic } from '../../model/index.ts';
import type { FilledText, ValuePath, YamlDocument, Graft, WrittenWindow } from '../yaml/yaml-document.ts';
import { finding } from '../source/finding.ts';
import { formatPlace } from '../../model/index.ts';
import type { DiagnosticCode } from '../source/finding.ts';
import { didYouMean } from '../schema/suggest.ts';
import { spanAt } from '../source/source-text.ts';
import { scalarOffsets } from '../yaml/scalar-offsets.ts';
import { locateKey, scalarAt, throughUses } from '../yaml/yaml-document.ts';
import { COMPOSE_LIMITS } from './composition.ts';
import type { Composition } from './composition.ts';
import type { Filling, FillProblem } from './fill-text.ts';
import type { Pack, Variable, Variables } from './pack.ts';
import { mayHaveVariables, parseTemplate } from './template.ts';
import { kindOfContent } from './pack.ts';

/** A finding before its location is known. */
interface SiteProblem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Returns the finding about a variable that could not be put in; `known` are the names that the place can use. */
function fillFinding(place: Graft, problem: FillProblem, known: readonly string[]): Diagnostic {
  return finding(
    ...withPlace(tell(problem, known), problem.kind === 'in-key' ? keyAt(place) : at(place, problem)),
  );
}

function withPlace({ code, message, hint }: SiteProblem, where: SourceSpan): Parameters<typeof finding> {
  return [code, { message, hint, where }];
}

function tell(problem: FillProblem, known: readonly string[]): SiteProblem {
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

function wrongKind({ name, variable }: FillProblem, { wanted, items, hint }: WrongKind): SiteProblem {
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

/** A document in which rules stand, and what can be named there. */
export interface Site {
  readonly document: YamlDocument;
  /** The uses of packs that lead into the document, outermost last. */
  readonly via: readonly SourceSpan[];
  readonly variables: Variables;
  /** Arguments of the pack that the document declares. */
  readonly parameters: Variables;
  /** Prefix for every `ref`. */
  readonly prefix: string;
  /** The packs that the rules are nested in, innermost last. */
  readonly chain: readonly Pack[];
  /** Windows of the uses that lead here, outermost first. */
  readonly windows: readonly WrittenWindow[];
}

/** Returns the place of a value in the site's document. */
export function placeOf({ document, via, windows }: Site, path: ValuePath): Graft {
  return { document, via, path, ...(windows.length === 0 ? {} : { windows }) };
}

/** Returns where a value is written; for a text that is nothing but a variable, where that variable's value is written. */
export function whereWritten(site: Site, path: ValuePath, written: JsonValue): Graft {
  const parts = typeof written === 'string' && mayHaveVariables(written) ? parseTemplate(written) : [];
  const [only] = parts;
  const variable = parts.length === 1 && only?.kind === 'variable' ? variableOf(site, only.name) : undefined;
  return variable?.value ?? placeOf(site, path);
}

function variableOf({ parameters, variables }: Site, name: string): Variable | undefined {
  return parameters.get(name) ?? variables.get(name);
}

/** Returns the filling for values at a path of a site; problems become findings of the composition. */
export function fillingAt(
  site: Site,
  path: ValuePath,
  to: {
    readonly composition: Composition;
    readonly filled?: (path: ValuePath, text: FilledText | 'broken') => void;
  },
): Filling {
  const { composition, filled = () => {} } = to;
  return {
    find: (name) => {
      const variable = variableOf(site, name);
      return variable !== undefined && composition.brought.characters > COMPOSE_LIMITS.characters
        ? tooMuch(variable, composition)
        : variable;
    },
    use: (variable, length) => {
      for (let one: Variable | undefined = variable; one !== undefined; one = one.shadows) {
        composition.usedVariables.add(one);
      }
      composition.brought.characters += length;
    },
    report: (inner, problem) => {
      const known = [...site.parameters.keys(), ...site.variables.keys()];
      composition.diagnostics.push(fillFinding(placeOf(site, [...path, ...inner]), problem, known));
    },
    filled,
  };
}

/** Reports the limit once, at the variable that passed it; from then on each variable is filled in as an empty text. */
function tooMuch(variable: Variable, composition: Composition): Variable {
  if (!composition.brought.told) {
    composition.brought.told = true;
    composition.diagnostics.push(
      finding('variable/too-much', {
        message: `variables add more than ${COMPOSE_LIMITS.characters / 1024 / 1024} MiB of text to the project`,
        hint: 'put long lists into a list of the service, and name it by `$name`',
        where: variable.where,
      }),
    );
  }
  return { ...variable, content: { kind: 'value', value: '' } };
}
