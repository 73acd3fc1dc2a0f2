import type { JsonValue } from '../../model/json.ts';
import type { SourceSpan } from '../../model/source.ts';
import type { FilledText, ValuePath, YamlDocument, Graft } from '../yaml/yaml-document.ts';
import { COMPOSE_LIMITS } from './composition.ts';
import type { Composition } from './composition.ts';
import { fillFinding } from './fill-findings.ts';
import type { Filling } from './fill.ts';
import type { Pack } from './pack.ts';
import { mayHaveVariables, parseTemplate } from './template.ts';
import type { Variable, Variables } from './variable.ts';
import { finding } from '../source/finding.ts';

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
}

/** Returns the place of a value in the site's document. */
export function placeOf({ document, via }: Site, path: ValuePath): Graft {
  return { document, via, path };
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
