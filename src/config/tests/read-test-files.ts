import { stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { FoundFiles } from '../../files/index.ts';
import { findFiles, NODE_MODULES, isInside } from '../../files/index.ts';
import type { Diagnostic, SourceSpan } from '../../model/index.ts';
import { finding } from '../source/finding.ts';
import { sortDiagnostics } from '../../model/index.ts';
import type { TestDocument } from '../../model/generated/documents.ts';
import { validateTest } from '../generated/validators.mjs';
import { outside, unreadOnTheWay } from '../project/list-files.ts';
import type { ListedFiles } from '../project/list-files.ts';
import { readSource } from '../project/read-source.ts';
import { validateDocument } from '../schema/validate-document.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';

/** The extension of a test file. */
const TEST_FILE = /\.test\.ya?ml$/;

/** Where test files are looked for unless paths are named. */
export const USUAL_TESTS = 'tests/**/*.test.{yaml,yml}';

/**
 * Lists the test files meant by paths: for the project folder, or without paths, those below its `tests/`; for another folder, those below it; a
 * file as named. `paths` are absolute and lie in the project folder.
 */
export async function listTestFiles(root: string, paths: readonly string[]): Promise<ListedFiles> {
  const files = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const asked = paths.length === 0 ? [root] : paths;
  for (const path of asked) {
    const found = await filesAt(root, path);
    const name = relative(root, path).replaceAll(sep, '/');
    if (found === undefined) {
      diagnostics.push(notATest(name));
    } else if (found.files.length + found.unread.length + found.outside.length === 0) {
      diagnostics.push(noTests(name));
    }
    diagnostics.push(
      ...(found?.outside ?? []).map((link) => outside(link)),
      ...(found?.unread ?? []).map((one) => unreadOnTheWay(one)),
    );
    for (const file of found?.files ?? []) {
      files.add(file);
    }
  }
  return { files: [...files].sort(), diagnostics };
}

/** Returns the test files at a path; undefined for a path that is neither a folder nor a test file of the project. */
async function filesAt(root: string, path: string): Promise<FoundFiles | undefined> {
  const named = (inside: string): string => relative(root, inside).replaceAll(sep, '/');
  if (!isInside(root, path)) {
    return undefined;
  }
  if (!(await stat(path)).isDirectory()) {
    return TEST_FILE.test(path) ? { files: [named(path)], unread: [], outside: [] } : undefined;
  }
  const { files, unread, outside } = await findFiles({
    patterns: [path === root ? USUAL_TESTS : '**/*.test.{yaml,yml}'],
    cwd: path,
    within: root,
    passOver: NODE_MODULES,
  });
  return {
    files: files.map((file) => named(resolve(path, file))),
    unread: unread.map((one) => ({ ...one, path: named(resolve(path, one.path)) })),
    outside: outside.map((link) => named(resolve(path, link))),
  };
}

function notATest(path: string): Diagnostic {
  return finding('test/not-a-test-file', {
    message: `${path} is not a test file of the project`,
    hint: 'name a file that ends in .test.yaml, a folder with such files, or the project folder',
  });
}

function noTests(path: string): Diagnostic {
  return finding('test/none-found', {
    message: path === '' ? 'the project has no tests' : `there are no tests in ${path}`,
    hint: 'write files that end in .test.yaml into the folder `tests` of the project',
  });
}

/** A test file without schema findings. */
export interface TestFile {
  /** Path relative to the project folder. */
  readonly path: string;
  readonly document: TestDocument;
  /** Returns where a value stands, or the key that leads to it. */
  readonly locate: (path: ValuePath, part: 'value' | 'key') => SourceSpan;
}

/** The valid test files, all findings, and the texts by path. */
export interface ReadTestFiles {
  readonly files: readonly TestFile[];
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}

/** Reads and checks test files of a project, and returns all findings of all files together. */
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
