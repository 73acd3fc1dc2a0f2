import type { Diagnostic } from '../../model/diagnostic.ts';
import { sortDiagnostics } from '../../model/diagnostic.ts';
import type { TestDocument } from '../../model/generated/documents.ts';
import type { SourceSpan } from '../../model/source.ts';
import { validateTest } from '../generated/validators.mjs';
import { readSource } from '../project/read-source.ts';
import { validateDocument } from '../schema/validate-document.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';

/** A test file without findings of its schema. */
export interface TestFile {
  /** Relative to the project folder. */
  readonly path: string;
  readonly document: TestDocument;
  /** Where a value stands, or the key that leads to it. */
  readonly locate: (path: ValuePath, part: 'value' | 'key') => SourceSpan;
}

/** Test files, as far as they are valid, what was found in them, and their texts by path. */
export interface ReadTestFiles {
  readonly files: readonly TestFile[];
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}

/** Reads and checks test files of a project; all findings of all files come together. */
export async function readTestFiles(root: string, paths: readonly string[]): Promise<ReadTestFiles> {
  const files: TestFile[] = [];
  const diagnostics: (readonly Diagnostic[])[] = [];
  const sources = new Map<string, string>();
  for (const path of paths) {
    const read = await readSource(root, path);
    if (read.kind === 'unread') {
      diagnostics.push([read.diagnostic]);
      continue;
    }
    sources.set(path, read.source.text);
    const parsed = parseYaml(read.source);
    diagnostics.push(parsed.diagnostics);
    const { document } = parsed;
    if (document === undefined) {
      continue;
    }
    const { value } = document;
    if (validateTest(value)) {
      const locate: TestFile['locate'] = (at, part) =>
        part === 'key' ? locateKey(document, at) : locateValue(document, at);
      files.push({ path, document: value, locate });
    } else {
      diagnostics.push(validateDocument(document, validateTest));
    }
  }
  return { files, diagnostics: sortDiagnostics(diagnostics.flat()), sources };
}
