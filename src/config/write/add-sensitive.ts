import type { SourceText } from '../source/source-text.ts';
import { sourceText } from '../source/source-text.ts';
import { readDocument, writeDocument } from '../format/yaml-style.ts';

/** A sensitive variable that a project file is to declare. */
export interface SecretVariable {
  readonly name: string;
  /** The variable of the environment that has the value. */
  readonly from: string;
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
