import type { ExplainedCode } from '../model/index.ts';
import type { Block, Document } from './tree.ts';
import { paragraph, section, span } from './tree.ts';

const WORDS: Readonly<Record<ExplainedCode['severity'], string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/** Documents what the code of a finding or an error means: as the page of diagnostics does. */
export function codeDocument({ code, severity, meaning, parts }: ExplainedCode): Document {
  return {
    title: 'Rulewright explain',
    heading: [span('heading', code), ` · ${WORDS[severity]}`],
    body: [paragraph(meaning), ...parts.map(blockOf)],
  };
}

function blockOf({ kind, text }: ExplainedCode['parts'][number]): Block {
  if (kind === 'text') {
    // What stands between backticks is code.
    return paragraph(...text.split('`').map((part, index) => (index % 2 === 1 ? span('code', part) : part)));
  }
  const [title, language] =
    kind === 'example' ? (['Example', 'yaml'] as const) : (['What is said of it', 'text'] as const);
  return section(2, [span('strong', title)], [{ kind: 'verbatim', language, lines: text.split('\n') }]);
}
