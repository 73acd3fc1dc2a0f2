import { Composer } from 'yaml';
import type { CST, Document, ScalarTag } from 'yaml';

import type { Diagnostic } from '../../model/diagnostic.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { finding } from '../source/finding.ts';
import type { SourceText } from '../source/source-text.ts';
import { spanAt } from '../source/source-text.ts';
import { explainSyntax } from './explain-syntax.ts';
import { controlCharacter, directionCharacters } from './odd-characters.ts';
import { readTokens } from './read-tokens.ts';
import type { ReadTokens } from './read-tokens.ts';
import { readValue } from './read-value.ts';
import type { YamlDocument } from './yaml-document.ts';
import { YAML_LIMITS } from './yaml-limits.ts';

/** A parsed file; without a document where the findings say why there is none. */
export interface ParsedYaml {
  readonly document?: YamlDocument;
  /** Where keys appear twice and nothing else is wrong: a document in which the first ones count, to look for more errors. */
  readonly draft?: YamlDocument;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses one file as YAML 1.2 (core schema, no merge keys). Never throws; bounded by `YAML_LIMITS`.
 * All findings of the file are returned; a document is there only when none of them is an error.
 */
export function parseYaml(source: SourceText): ParsedYaml {
  const control = controlCharacter(source);
  if (control !== undefined) {
    return failed(control);
  }
  const read = readTokens(source.text);
  if (read.kind !== 'read') {
    return failed(beyondLimits(source, read));
  }
  const documents = compose(read.tokens, source);
  const [document, second] = documents;
  const errors = documents.flatMap((one) => [...one.errors, ...one.warnings]);
  if (errors.length > 0) {
    return failed(...explainSyntax({ source, tokens: read.tokens }, errors));
  }
  if (second !== undefined) {
    const [start] = second.range;
    return failed(
      finding('yaml/several-documents', {
        message: 'the file holds more than one document',
        hint: 'put each document into a file of its own',
        where: spanAt(source, start, source.text.startsWith('---', start) ? start + 3 : start + 1),
      }),
    );
  }
  return document === undefined ? emptyFile(source) : readDocument(source, document);
}

function beyondLimits(
  source: SourceText,
  { kind, offset }: Exclude<ReadTokens, { readonly kind: 'read' }>,
): Diagnostic {
  const where = spanAt(source, offset, offset + 1);
  return kind === 'too-deep'
    ? finding('yaml/too-deep', {
        message: `values are nested deeper than ${YAML_LIMITS.depth} levels`,
        hint: 'no document of Rulewright is nested so deeply; look for brackets that are not closed',
        where,
      })
    : finding('yaml/too-large', {
        message: `the file has more than ${YAML_LIMITS.lexemes} tokens`,
        hint: 'split it: several files may describe a scope, each of its phases in one of them',
        where,
      });
}

/**
 * In the core schema, only a text begins like this. Tried first, it saves most scalars eight patterns: a quarter of the time that the library
 * takes from syntax to nodes.
 */
const PLAIN_TEXT: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  test: /^[^-+.~\dNnTtFf]/u,
  resolve: (text) => text,
};

function compose(tokens: readonly CST.Token[], source: SourceText): readonly Document.Parsed[] {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    customTags: (tags) => [PLAIN_TEXT, ...tags],
    resolveKnownTags: false,
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  return [...composer.compose(tokens, true, source.text.length)];
}

function readDocument(source: SourceText, document: Document.Parsed): ParsedYaml {
  const root = document.contents;
  if (root === null || (root.range[0] === root.range[1] && root.tag === undefined)) {
    return emptyFile(source);
  }
  const { value, aliases, diagnostics: found, isWhole } = readValue(source, root);
  const diagnostics = [...directionCharacters(source), ...found];
  const read: YamlDocument = { source, value, root, aliases };
  if (!hasErrors(diagnostics)) {
    return { document: read, diagnostics };
  }
  return isWhole ? { draft: read, diagnostics } : { diagnostics };
}

function emptyFile(source: SourceText): ParsedYaml {
  return failed(
    finding('yaml/empty-file', {
      message: 'the file has no content',
      hint: 'an empty file never means "no rules"; write the document, or take the file out of the project',
      where: spanAt(source, 0, 0),
    }),
  );
}

function failed(...diagnostics: readonly Diagnostic[]): ParsedYaml {
  return { diagnostics };
}
