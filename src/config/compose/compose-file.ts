import { isJsonArray, isJsonObject, jsonEqual, objectOf, textOf } from '../../model/json.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { FilledText, ValuePath, YamlDocument, Graft } from '../yaml/yaml-document.ts';
import { pathKey } from '../yaml/yaml-document.ts';
import type { Composition } from './composition.ts';
import { expandRules } from './expand-rules.ts';
import { fillValue } from './fill.ts';
import { fillingAt } from './site.ts';
import type { Site } from './site.ts';
import type { Variables } from './variable.ts';

/** A document being composed, and what has been put into it so far. */
interface Work {
  readonly site: Site;
  readonly composition: Composition;
  readonly grafts: Map<string, readonly Graft[]>;
  readonly filled: Map<string, FilledText | 'broken'>;
}

/**
 * Returns a zone or account file with packs and variables put in. Every place of the result can be traced to the file or pack that it comes from.
 */
export function composeFile(
  document: YamlDocument,
  variables: Variables,
  composition: Composition,
): YamlDocument {
  const { value } = document;
  if (!isJsonObject(value)) {
    return document;
  }
  const site: Site = { document, via: [], variables, parameters: new Map(), prefix: '', chain: [] };
  const work: Work = { site, composition, grafts: new Map(), filled: new Map() };
  const { entrypoints, rulesets } = value;
  const composed: JsonObject = {
    ...value,
    ...(isJsonObject(entrypoints) ? { entrypoints: composeEntryPoints(entrypoints, work) } : {}),
    ...(isJsonArray(rulesets)
      ? { rulesets: rulesets.map((body, index) => composeCustom(body, index, work)) }
      : {}),
  };
  // An unchanged document needs no map to the origin of its parts.
  return work.grafts.size === 0 && work.filled.size === 0 && jsonEqual(composed, value)
    ? document
    : { ...document, value: composed, grafts: work.grafts, filled: work.filled };
}

function isSameList(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function composeEntryPoints(entrypoints: JsonObject, work: Work): JsonObject {
  return Object.fromEntries(
    Object.entries(entrypoints).map(([phase, body]) => [
      phase,
      composeRuleset(body, { path: ['entrypoints', phase], phase }, work),
    ]),
  );
}

function composeCustom(body: JsonValue, index: number, work: Work): JsonValue {
  const phase = textOf(objectOf(body)['phase']);
  return composeRuleset(body, { path: ['rulesets', index], phase }, work);
}

/** Keys of a ruleset whose texts may have variables, besides its rules; what guards depend on has to be written out. */
const TEXTS = ['name', 'description'] as const;

function composeRuleset(
  body: JsonValue,
  { path, phase }: { readonly path: ValuePath; readonly phase: string },
  { site, composition, grafts, filled }: Work,
): JsonValue {
  if (!isJsonObject(body)) {
    return body;
  }
  const note = (at: ValuePath, text: FilledText | 'broken'): void => {
    filled.set(pathKey(at), text);
  };
  const texts = TEXTS.filter((key) => body[key] !== undefined).map((key) => {
    const at = [...path, key];
    const filling = fillingAt(site, at, { composition, filled: (_path, text) => note(at, text) });
    return [key, fillValue(body[key] ?? null, filling)] as const;
  });
  const { rules } = body;
  if (!isJsonArray(rules)) {
    return { ...body, ...Object.fromEntries(texts) };
  }
  const list = [...path, 'rules'];
  const expanded = expandRules(rules, { site, path: list, phase, composition });
  if (expanded.filled.size === 0 && isSameList(expanded.values, rules)) {
    return texts.length === 0 ? body : { ...body, ...Object.fromEntries(texts) };
  }
  grafts.set(pathKey(list), expanded.grafts);
  for (const [key, text] of expanded.filled) {
    filled.set(`${pathKey(list)}/${key}`, text);
  }
  return { ...body, ...Object.fromEntries(texts), rules: expanded.values };
}
