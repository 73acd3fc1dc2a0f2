import { isJsonObject } from '../../data/index.ts';
import type { JsonObject, JsonValue } from '../../data/index.ts';
import { formatPlace } from '../../model/index.ts';
import type { DiagnosticCode } from '../source/finding.ts';
import { finding } from '../source/finding.ts';
import { didYouMean, oneOfThese } from '../schema/suggest.ts';
import { locateKey, locateValue, throughUses } from '../yaml/yaml-document.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';
import { argumentContent, argumentProblem, isValue, kindOfValue, checkPlainSecret } from './pack.ts';
import { COMPOSE_LIMITS } from './composition.ts';
import type { AskedPack, Composition } from './composition.ts';
import { fillExpression, fillValue } from './fill-text.ts';
import type { FillProblem } from './fill-text.ts';
import type { Pack, PackParameter, Variable } from './pack.ts';
import { fillingAt, whereWritten } from './composition-site.ts';
import type { Site } from './composition-site.ts';
import { mayHaveVariables } from './template.ts';

/** An item of a list of rules that uses a pack. */
export interface PackUse extends JsonObject {
  readonly use: string;
}

/** Where a pack is used. */
interface UsePlace {
  readonly site: Site;
  /** Path of the use. */
  readonly path: ValuePath;
  readonly phase: string;
  readonly composition: Composition;
}

/** A pack with the arguments of one use. */
interface UsedPack {
  readonly pack: Pack;
  readonly parameters: ReadonlyMap<string, Variable>;
  readonly prefix: string;
}

/** Returns the pack that a use names, with its arguments; undefined where something is wrong, which has a finding. */
export function usedPack(item: PackUse, place: UsePlace): UsedPack | undefined {
  const { composition } = place;
  const pack = askPack(item.use, composition);
  composition.askedPacks.set(item.use, pack);
  if (pack === 'broken') {
    return undefined;
  }
  if (pack === 'unknown') {
    const known = [...composition.packs.keys()];
    return refuse(place, ['use'], {
      code: 'pack/unknown',
      message: `there is no pack \`${item.use}\``,
      hint:
        didYouMean(item.use, known) ??
        (known.length === 0
          ? 'name the files of packs under `packs` in the project file'
          : `the packs are ${oneOfThese([...known].sort(), 'and')}`),
    });
  }
  const misplaced = misplacement(pack, place);
  if (misplaced !== undefined) {
    return refuse(place, ['use'], misplaced);
  }
  const parameters = argumentsOf(item, pack, place);
  const prefix = prefixOf(item, place);
  return parameters === undefined || prefix === undefined ? undefined : { pack, parameters, prefix };
}

/** Looks up the pack of a name. */
export function askPack(name: string, { packs, broken }: Pick<Composition, 'packs' | 'broken'>): AskedPack {
  return packs.get(name) ?? (broken === 'any' || broken.has(name) ? 'broken' : 'unknown');
}

/** Returns why the pack cannot be used at a place, whatever its arguments. */
function misplacement(pack: Pack, { site: { chain }, phase }: UsePlace): UseProblem | undefined {
  const way = [...chain, pack].map(({ name }) => name);
  if (chain.includes(pack)) {
    return {
      code: 'pack/cycle',
      message: `the packs use each other in a cycle: ${way.slice(chain.indexOf(pack)).join(' → ')}`,
      hint: 'a pack cannot contain itself',
    };
  }
  if (chain.length >= COMPOSE_LIMITS.depth) {
    return {
      code: 'pack/too-deep',
      message: `packs are nested deeper than ${COMPOSE_LIMITS.depth} levels`,
      hint: `the chain is ${way.join(' → ')}`,
    };
  }
  if (pack.phases !== undefined && !pack.phases.includes(phase)) {
    return {
      code: 'pack/wrong-phase',
      message: `the pack \`${pack.name}\` is not for phase ${phase}`,
      hint: `its \`phases\` at ${formatPlace(locateKey(pack.document, ['phases']))} are ${oneOfThese(pack.phases, 'and')}`,
    };
  }
  return undefined;
}

function prefixOf({ prefix }: PackUse, place: UsePlace): string | undefined {
  if (typeof prefix !== 'string') {
    return '';
  }
  const { site, path, composition } = place;
  const filled = fillValue(prefix, fillingAt(site, [...path, 'prefix'], { composition }));
  return typeof filled === 'string'
    ? filled
    : refuse(place, ['prefix'], {
        code: 'pack/wrong-argument',
        message: `the prefix is ${kindOfValue(filled)}, but must be a string`,
        hint: 'use a variable that is a string',
      });
}

/** Returns the value of each parameter in one use; undefined where an argument is wrong. */
function argumentsOf(item: PackUse, pack: Pack, place: UsePlace): ReadonlyMap<string, Variable> | undefined {
  const given = isJsonObject(item['with']) ? item['with'] : {};
  let right = unknownArguments(Object.keys(given), pack, place);
  const parameters = new Map<string, Variable>();
  for (const parameter of pack.parameters.values()) {
    const { name } = parameter;
    const argument = Object.hasOwn(given, name)
      ? argumentOf(parameter, given[name] ?? null, place)
      : defaultOf(parameter, pack, place);
    right &&= argument !== undefined;
    if (argument !== undefined) {
      parameters.set(name, argument);
    }
  }
  return right ? parameters : undefined;
}

function unknownArguments(names: readonly string[], pack: Pack, place: UsePlace): boolean {
  const known = [...pack.parameters.keys()];
  const unknown = names.filter((name) => !pack.parameters.has(name));
  for (const name of unknown) {
    refuse(place, ['with', name], {
      code: 'pack/unknown-argument',
      message: `the pack \`${pack.name}\` has no parameter \`${name}\``,
      hint: `${didYouMean(name, known) ?? (known.length === 0 ? 'it has none' : `it has ${oneOfThese(known, 'and')}`)} (it is at ${formatPlace(pack.where)})`,
    });
  }
  return unknown.length === 0;
}

function defaultOf(parameter: PackParameter, pack: Pack, place: UsePlace): Variable | undefined {
  const { name, type, where } = parameter;
  if (parameter.default !== undefined) {
    const value = { document: pack.document, path: ['params', name, 'default'], via: [] };
    return { name, where, content: argumentContent(type, parameter.default), value };
  }
  return refuse(place, ['use'], {
    code: 'pack/missing-argument',
    message: `the pack \`${pack.name}\` needs the argument \`${name}\` (${type})`,
    hint: `give it under \`with\`; the parameter is declared at ${formatPlace(where)}`,
  });
}

function argumentOf(parameter: PackParameter, written: JsonValue, place: UsePlace): Variable | undefined {
  const { name, type, where } = parameter;
  const { site, path, composition } = place;
  const inClear = { document: site.document, path: [...path, 'with', name], name, value: written };
  const secret = checkPlainSecret(inClear);
  if (secret.length > 0) {
    composition.diagnostics.push(...secret);
    return undefined;
  }
  const value = filledArgument(parameter, written, place);
  if (value === undefined) {
    return undefined;
  }
  const problem = argumentProblem(parameter, value);
  return problem === undefined && isValue(value)
    ? {
        name,
        where,
        content: argumentContent(type, value),
        value: whereWritten(site, inClear.path, written),
      }
    : refuse(place, ['with', name], {
        code: 'pack/wrong-argument',
        message: `the argument \`${name}\` ${problem?.message ?? 'is not a value'}`,
        hint: `${problem?.hint === undefined ? '' : `${problem.hint}; `}the parameter is declared at ${formatPlace(where)}`,
      });
}

/** Fills the variables of an argument, quoted where the argument is an expression. Undefined where one cannot be put in. */
function filledArgument(
  { name, type }: PackParameter,
  written: JsonValue,
  { site, path, composition }: UsePlace,
): JsonValue | undefined {
  let right = true;
  const filling = fillingAt(site, [...path, 'with', name], {
    composition,
    filled: (_path, text) => {
      right &&= text !== 'broken';
    },
  });
  if (type !== 'expression' || typeof written !== 'string') {
    const value = fillValue(written, filling);
    return right ? value : undefined;
  }
  const report = (problem: FillProblem): void => filling.report([], problem);
  return mayHaveVariables(written) ? fillExpression(written, { ...filling, report })?.value : written;
}

interface UseProblem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint: string;
}

/** Reports a problem at a key of the use: at its value, unless the key itself is unknown. */
function refuse(
  { site, path, composition }: UsePlace,
  key: ValuePath,
  { code, message, hint }: UseProblem,
): undefined {
  const at = [...path, ...key];
  const where =
    code === 'pack/unknown-argument' ? locateKey(site.document, at) : locateValue(site.document, at);
  composition.diagnostics.push(finding(code, { message, hint, where: throughUses(where, site.via) }));
}
