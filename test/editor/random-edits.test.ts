import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { START, anyEdit, own, use, zone } from '../config/edited-project.ts';
import { loadFiles } from '../config/project-folder.ts';
import { propertyRuns } from '../property-runs.ts';
import { MAIN, startEditor } from './editor-client.ts';
import type { EditorClient } from './editor-client.ts';

/** What happens to a file: it is typed into, closed without saving, or changed on disk. */
const anyEvent = fc.oneof(
  fc.record({ kind: fc.constant('type' as const), edit: anyEdit }),
  fc.record({ kind: fc.constant('disk' as const), edit: anyEdit }),
  fc.record({ kind: fc.constant('close' as const), edit: anyEdit }),
);

/** So many rules that what is found in an edited pack is told before the rest is read. */
const LARGE = {
  'zones/0.yaml': zone('large', `${use('one')}${use('two')}`),
  'zones/large.yaml': zone(
    'larger',
    `${use('one')}${use('two')}${Array.from({ length: 300 }, (_, at) => own.replace('ref: own', `ref: own-${at}`)).join('')}`,
  ),
};

describe.skipIf(!existsSync(MAIN))('rulewright lsp (skipped if dist/cli/main.js is not built)', () => {
  it('ends after any edits, however fast, with the findings of `validate` for every file, and never goes back', async () => {
    const editor = await startEditor({ files: { ...START, ...LARGE } });
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 6 }), async (events) => {
        const disk = new Map(Object.entries(START));
        const open = new Map<string, string>();
        const begun = editor.published().length;
        for (const [path, text] of disk) {
          await saveOnDisk(editor, path, text);
        }
        for (const { kind, edit } of events) {
          if (kind === 'disk') {
            disk.set(edit.path, edit.text);
            await saveOnDisk(editor, edit.path, edit.text);
          } else if (kind === 'type') {
            open.set(edit.path, edit.text);
            await editor.change(edit.path, edit.text);
          } else if (open.delete(edit.path)) {
            await editor.close(edit.path);
          }
        }
        const files = { ...Object.fromEntries([...disk, ...open]), ...LARGE };
        const { diagnostics } = await loadFiles(files);
        const expected = linesOf(
          diagnostics.map(({ where, code, message, hint }) => ({
            path: where?.file ?? 'rulewright.yaml',
            start: where?.start ?? { line: 1, column: 1 },
            code,
            message: hint === undefined ? message : `${message}\n${hint}`,
          })),
        );
        await expect.poll(() => linesOf(findingsNow(editor))).toEqual(expected);
        const versions = new Map<string, number>();
        for (const { uri, version } of editor.published().slice(begun)) {
          expect(version ?? 0).toBeGreaterThanOrEqual(version === undefined ? 0 : (versions.get(uri) ?? 0));
          versions.set(uri, version ?? 0);
        }
        for (const path of open.keys()) {
          await editor.close(path);
        }
      }),
      { numRuns: Math.ceil(propertyRuns() / 4) },
    );
    expect(await editor.shutDown()).toBe(0);
  });
});

async function saveOnDisk(editor: EditorClient, path: string, text: string): Promise<void> {
  await writeFile(join(editor.root, path), text);
  await editor.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: editor.uri(path), type: 2 }],
  });
}

interface Line {
  readonly path: string;
  readonly start: { readonly line: number; readonly column: number };
  readonly code: unknown;
  readonly message: unknown;
}

/** Returns the findings that were published last for each file. */
function findingsNow(editor: EditorClient): readonly Line[] {
  const last = new Map(editor.published().map((params) => [params.uri, params.diagnostics]));
  return Object.keys({ ...START, ...LARGE }).flatMap((path) =>
    (last.get(editor.uri(path)) ?? []).map(({ range: { start }, code, message }) => ({
      path,
      start: { line: start.line + 1, column: start.character + 1 },
      code,
      message,
    })),
  );
}

function linesOf(found: readonly Line[]): readonly string[] {
  return found
    .map(
      ({ path, start, code, message }) =>
        `${path}:${start.line}:${start.column} ${String(code)} ${String(message)}`,
    )
    .sort();
}
