import { createHash } from 'node:crypto';
import type { CodeHelp, Diagnostic, Severity, SourceSpan } from '../model/index.ts';
import { sortDiagnostics } from '../model/index.ts';
import { repositoryPath } from './annotation.ts';
import { linesOf } from './code-frame.ts';
import type { Diagnosed } from './diagnostics-document.ts';
import { escapeLines, escapeText } from './escape.ts';
import { jsonText } from './pieces.ts';

/** What a SARIF log needs besides the findings. */
export interface SarifContext {
  /** The version of this program. */
  readonly version: string;
  /** The project's folder in its repository; "" for the root. */
  readonly folder: string;
  readonly help: (code: string) => CodeHelp | null;
}

const LEVEL_OF: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/**
 * Formats findings as a SARIF 2.1.0 log for code scanning: rules with help, regions, URIs relative to the repository, and fingerprints that
 * stay the same when lines are added above a finding.
 */
export function diagnosticsSarif(findings: Diagnosed, { version, folder, help }: SarifContext): string {
  const diagnostics = sortDiagnostics(findings.diagnostics);
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const fingerprint = fingerprints(findings.sources);
  return jsonText({
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'rulewright',
            version,
            semanticVersion: version,
            rules: codes.map((code) => ruleOf(code, help(code))),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((diagnostic) => ({
          ruleId: diagnostic.code,
          ruleIndex: codes.indexOf(diagnostic.code),
          level: LEVEL_OF[diagnostic.severity],
          message: { text: messageOf(diagnostic) },
          locations: diagnostic.where === undefined ? [] : [locationOf(diagnostic.where, folder)],
          partialFingerprints: { primaryLocationLineHash: fingerprint(diagnostic) },
        })),
      },
    ],
  });
}

function ruleOf(code: string, help: CodeHelp | null): object {
  const title = sentence(help?.title ?? code);
  const hint =
    help?.hint === undefined ? 'The message of each finding says how to fix it.' : sentence(help.hint);
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: `${title} ${hint}` },
    ...(help === null ? {} : { defaultConfiguration: { level: LEVEL_OF[help.severity] } }),
    properties: { tags: [code.replace(/\/.*/s, '')] },
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function messageOf({ message, hint }: Diagnostic): string {
  return escapeLines(hint === undefined ? message : `${message}\nhint: ${hint}`).join('\n');
}

function locationOf({ file, start, end }: SourceSpan, folder: string): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(repositoryPath(folder, file)), uriBaseId: '%SRCROOT%' },
      region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
    },
  };
}

/** Returns a relative URI. Colons are escaped: in the first segment one would end a scheme. */
function uriOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/**
 * Returns a function that computes the fingerprint of a finding: from its code, its file, the text of its line, and its number among equal
 * findings. The line number is not part of it.
 */
function fingerprints(sources: Diagnosed['sources']): (diagnostic: Diagnostic) => string {
  const seen = new Map<string, number>();
  const lines = new Map([...sources].map(([file, text]) => [file, linesOf(text ?? '')]));
  return ({ code, message, where }) => {
    const line = where === undefined ? '' : (lines.get(where.file)?.[where.start.line - 1] ?? '').trim();
    const text = JSON.stringify([code, where?.file ?? '', line === '' ? escapeText(message) : line]);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const occurrence = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, occurrence);
    return `${hash}:${occurrence}`;
  };
}
