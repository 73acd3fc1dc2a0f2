import { isMap } from 'yaml';
import type { JsonValue } from '../../data/index.ts';
import type { SourceText } from '../source/source-text.ts';
import { sourceText } from '../source/source-text.ts';
import { readDocument, writeDocument } from '../format/yaml-style.ts';
import { oneLine } from './scope-text.ts';

/** A sensitive variable that a project file is to declare. */
export interface SecretVariable {
  readonly name: string;
  /** The variable of the environment that has the value. */
  readonly from: string;
}

/** A variable that a project file is to declare, with what is to stand above it. */
export interface ProjectVariable {
  readonly name: string;
  readonly value: JsonValue;
  readonly above: readonly string[];
}

/** Returns the project file with more variables in its `vars`. */
export function addVariables(source: SourceText, variables: readonly ProjectVariable[]): SourceText {
  const document = readDocument(source.text);
  for (const { name, value, above } of variables) {
    document.setIn(['vars', name], document.createNode(value, { flow: true }));
    const vars: unknown = document.get('vars', true);
    const pair = isMap(vars) ? vars.items.at(-1) : undefined;
    if (pair !== undefined && above.length > 0) {
      const key = document.createNode(name);
      key.commentBefore = above.map((line) => ` ${oneLine(line)}`).join('\n');
      pair.key = key;
    }
  }
  return sourceText(source.path, writeDocument(document));
}

/** Returns the project file with more sensitive variables in its `env`; without any, the file itself. */
export function addSensitive(source: SourceText, secrets: readonly SecretVariable[]): SourceText {
  if (secrets.length === 0) {
    return source;
  }
  const document = readDocument(source.text);
  for (const { name, from } of secrets) {
    document.setIn(['env', name], document.createNode({ from, sensitive: true }, { flow: true }));
  }
  return sourceText(source.path, writeDocument(document));
}
