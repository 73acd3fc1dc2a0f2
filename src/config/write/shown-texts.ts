import { visit } from 'yaml';
import { objectOf } from '../../data/index.ts';
import { redactText, secretTexts, shapedSecrets, OTHER_SECRET_LIKE, SECRET_LIKE } from '../../model/index.ts';
import type { Redactions } from '../../model/index.ts';
import { scopeFilesIn } from '../project/scope-file.ts';
import { sourceText, applyEdits } from '../source/source-text.ts';
import type { TextEdit } from '../source/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';

/** A text of a file before and after a change. */
export interface TextPair {
  readonly before: string;
  readonly after: string;
}

/** Hides what looks like a secret in both texts of a zone or account file; a secret that is new gets another mark than those it replaces. */
export function shownTexts(path: string, { before, after }: TextPair): TextPair {
  const documents = [before, after].map((text) => parseYaml(sourceText(path, text)).document);
  const [old = [], all = []] = documents.map((document, index) =>
    secretsIn(document, index === 0 ? before : after),
  );
  const known = new Set(old);
  const redactions: Redactions = new Map(
    [...new Set([...old, ...all])]
      .sort((a, b) => b.length - a.length)
      .map((text) => [text, known.size === 0 || known.has(text) ? SECRET_LIKE : OTHER_SECRET_LIKE]),
  );
  const [first, second] = documents;
  return { before: shown(before, first, redactions), after: shown(after, second, redactions) };
}

function secretsIn(document: YamlDocument | undefined, text: string): readonly string[] {
  const rulesets = document === undefined ? [] : scopeFilesIn(document).flatMap((file) => file.rulesets);
  return [
    ...shapedSecrets(text).map((one) => one.text),
    ...rulesets.flatMap(({ address, rules }) =>
      rules.flatMap(({ value }) => secretTexts(address.phase, objectOf(value))),
    ),
  ];
}

function shown(text: string, document: YamlDocument | undefined, redactions: Redactions): string {
  return redactions.size === 0
    ? text
    : redactText(applyEdits(text, spelledOtherwise(text, document, redactions)), redactions);
}

/** Returns edits that hide a whole value where YAML spells the secret in it differently, as with escapes or on several lines. */
function spelledOtherwise(
  text: string,
  document: YamlDocument | undefined,
  redactions: Redactions,
): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  if (document !== undefined) {
    visit(document.root, {
      Scalar: (_key, { value, range }) => {
        const [start, end] = range ?? [0, 0];
        const written = text.slice(start, end);
        const mark = [...redactions].find(
          ([secret]) => typeof value === 'string' && value.includes(secret) && !written.includes(secret),
        )?.[1];
        if (mark !== undefined) {
          edits.push({ start, end, text: `${mark}\n`.slice(0, written.endsWith('\n') ? undefined : -1) });
        }
      },
    });
  }
  return edits;
}
