import { isMap, isSeq, isScalar } from 'yaml';
import type { Node, Pair, YAMLMap } from 'yaml';
import type { JsonObject } from '../../data/index.ts';
import { phaseOrder } from '../../model/index.ts';
import type { TextEdit, SourceText } from '../source/source-text.ts';
import { keyName, pairOf } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { readDocument, writeDocument } from '../format/yaml-style.ts';
import { contentEnd, endWithComments, lineStart } from './content-end.ts';
import type { FileNote } from './scope-text.ts';
import { partText } from './snippet.ts';

/** A ruleset that a file does not declare yet. */
export interface AddedRuleset {
  readonly address: { readonly kind: 'entrypoint' | 'custom'; readonly phase: string };
  readonly value: JsonObject;
  readonly notes: readonly FileNote[];
  /** A comment before an entry point; "" for none. */
  readonly title: string;
}

/** Returns the edits that declare one more ruleset in a file; undefined where the file has no place for it. */
export function addRuleset(document: YamlDocument, added: AddedRuleset): readonly TextEdit[] | undefined {
  const { root } = document;
  if (!isMap<Node, Node | null>(root) || root.flow === true) {
    return undefined;
  }
  return added.address.kind === 'entrypoint'
    ? addPhase(document, root, added)
    : addCustom(document, root, added);
}

function addPhase(
  { source: { text } }: YamlDocument,
  root: YAMLMap<Node, Node | null>,
  { address: { phase }, value, notes, title }: AddedRuleset,
): readonly TextEdit[] | undefined {
  const path = ['entrypoints', phase];
  const all = [
    ...(title === '' ? [] : [{ path, text: title, place: 'before' as const }]),
    ...notes.map((one) => ({ ...one, path: [...path, ...one.path] })),
  ];
  const whole = partText({ entrypoints: { [phase]: value } }, all, 0);
  const entrypoints = pairOf(root, 'entrypoints')?.value ?? undefined;
  if (entrypoints === undefined) {
    const others = root.items.filter(({ key }) => keyName(key) !== 'rulesets');
    return after(text, others.at(-1), whole);
  }
  if (!isMap<Node, Node | null>(entrypoints) || entrypoints.flow === true) {
    return undefined;
  }
  const start = entrypoints.items[0]?.key.range?.[0];
  if (start === undefined) {
    return undefined;
  }
  const column = start - lineStart(text, start);
  const lines = whole
    .split('\n')
    .slice(1)
    .map((line) => (line === '' ? '' : ' '.repeat(column) + line.slice(2)));
  const before = entrypoints.items.filter(({ key }) => phaseOrder(keyName(key) ?? '') <= phaseOrder(phase));
  return after(text, before.at(-1) ?? entrypoints.items.at(-1), lines.join('\n'));
}

function addCustom(
  { source: { text } }: YamlDocument,
  root: YAMLMap<Node, Node | null>,
  { value, notes }: AddedRuleset,
): readonly TextEdit[] | undefined {
  const all = notes.map((one) => ({ ...one, path: ['rulesets', 0, ...one.path] }));
  const whole = partText({ rulesets: [value] }, all, 0);
  const rulesets = pairOf(root, 'rulesets')?.value ?? undefined;
  if (rulesets === undefined) {
    return after(text, root.items.at(-1), whole);
  }
  const last = isSeq<Node>(rulesets) && rulesets.flow !== true ? rulesets.items.at(-1) : undefined;
  if (last === undefined) {
    return undefined;
  }
  const line = lineStart(text, last.range?.[0] ?? 0);
  const dash = /^ *(?=- )/u.exec(text.slice(line))?.[0];
  const lines = whole
    .split('\n')
    .slice(1)
    .map((one) => (one === '' ? '' : (dash ?? '') + one.slice(2)));
  const end = endWithComments(text, contentEnd(text, last), dash?.length ?? 0);
  return dash === undefined ? undefined : [{ start: end, end, text: `\n${lines.join('\n')}` }];
}

function after(
  text: string,
  pair: Pair<Node, Node | null> | undefined,
  lines: string,
): readonly TextEdit[] | undefined {
  if (pair === undefined) {
    return undefined;
  }
  const start = pair.key.range?.[0] ?? 0;
  const end = endWithComments(text, contentEnd(text, pair.value ?? pair.key), start - lineStart(text, start));
  return [{ start: end, end, text: `\n${lines}` }];
}

/** Returns the project file with more patterns under `files` and `packs`. */
export function addPatterns(
  source: SourceText,
  { files, packs }: { readonly files: readonly string[]; readonly packs: readonly string[] },
): string {
  return addTo('packs', packs, addTo('files', files, source.text));
}

function addTo(key: 'files' | 'packs', patterns: readonly string[], text: string): string {
  const document = readDocument(text);
  const list: unknown = document.get(key, true);
  if (patterns.length === 0) {
    return text;
  }
  if (!isSeq(list)) {
    // The list of files is always there.
    const { contents } = document;
    const [edit] =
      (list === undefined && isMap<Node, Node | null>(contents)
        ? after(text, pairOf(contents, 'files'), `${key}: [${patterns.join(', ')}]`)
        : undefined) ?? [];
    return edit === undefined ? text : text.slice(0, edit.start) + edit.text + text.slice(edit.end);
  }
  const { range } = list;
  const last: unknown = list.items.at(-1);
  const end = isScalar(last) ? last.range?.[1] : undefined;
  // In a bracketed list the patterns go behind the last item, so that no byte of the rest changes.
  if (list.flow === true && end !== undefined && range !== null && range !== undefined) {
    return `${text.slice(0, end)}${patterns.map((one) => `, ${one}`).join('')}${text.slice(end)}`;
  }
  for (const pattern of patterns) {
    list.add(pattern);
  }
  return writeDocument(document);
}
