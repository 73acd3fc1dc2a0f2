import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A source file and what it imports: files by their paths, anything else by its name. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const IMPORT = /^(?:import|export)\b[^;'"]*?from '([^']+)'|^import '([^']+)'|\bimport\(\s*'([^']+)'/gmu;

/** All files of `src` except generated ones. Imports of types count. */
export function sourceFiles(): readonly SourceFile[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.includes('/generated/'))
    .map((path) => {
      const text = readFileSync(path, 'utf8');
      const imports = [...text.matchAll(IMPORT)].map(([, named, bare, lazy]) => named ?? bare ?? lazy ?? '');
      return {
        path,
        text,
        imports: imports.map((name) => (name.startsWith('.') ? normalize(join(dirname(path), name)) : name)),
      };
    });
}

/** The cycles of a graph, each as its sorted nodes. */
export function rings(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const reached = new Map([...graph.keys()].map((node) => [node, reachedFrom(graph, node)]));
  const found = new Set<string>();
  return [...graph.keys()].toSorted().flatMap((node) => {
    if (found.has(node) || reached.get(node)?.has(node) !== true) {
      return [];
    }
    const ring = [...graph.keys()].filter(
      (other) => reached.get(node)?.has(other) === true && reached.get(other)?.has(node) === true,
    );
    ring.forEach((other) => found.add(other));
    return [ring.toSorted()];
  });
}

function reachedFrom(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!reached.has(node)) {
      reached.add(node);
      open.push(...(graph.get(node) ?? []));
    }
  }
  return reached;
}
