import { CODES } from '../../expression/index.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import type { ProjectDocument } from '../../model/generated/documents.ts';
import { DIAGNOSTIC_CODES } from '../source/diagnostic-codes.ts';
import { finding } from '../source/finding.ts';
import { didYouMean } from '../schema/suggest.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';

/** The severities that a project gives to codes, in place of the usual ones. */
export type Severities = ReadonlyMap<string, Severity | 'off'>;

const USUAL: ReadonlyMap<string, Severity> = new Map(
  Object.entries({ ...DIAGNOSTIC_CODES, ...CODES }).map(([code, { severity }]) => [code, severity]),
);

/** Returns the usual severity of a code that files can have; undefined when there is no such code. */
export function usualSeverity(code: string): Severity | undefined {
  return USUAL.get(code);
}

/** Returns a hint for a code that does not exist. */
export function codeHint(code: string): string {
  return didYouMean(code, [...USUAL.keys()]) ?? 'each finding shows its code after its severity';
}

/** Reads `lint` of a project file. */
export function readSeverities({ lint = {} }: ProjectDocument): Severities {
  return new Map(
    Object.entries(lint).flatMap(([code, level]) => (level === undefined ? [] : [[code, level] as const])),
  );
}

/** Reports severities for codes that do not exist, and for errors: a file with an error can be neither planned nor trusted. */
export function checkSeverities(
  document: YamlDocument,
  { lint = {} }: ProjectDocument,
): readonly Diagnostic[] {
  return Object.entries(lint).flatMap(([code, level]) => {
    const usual = usualSeverity(code);
    if (usual === undefined) {
      return [
        finding('severity/unknown-code', {
          message: `no finding has the code \`${code}\``,
          hint: codeHint(code),
          where: locateKey(document, ['lint', code]),
        }),
      ];
    }
    return usual === 'error' && level !== 'error'
      ? [
          finding('severity/fixed', {
            message: `\`${code}\` is an error, and stays an error`,
            hint: 'only the severity of warnings and notes can be changed; fix what it reports',
            where: locateValue(document, ['lint', code]),
          }),
        ]
      : [];
  });
}

/** Returns findings with the project's severities, without those that are off. A finding that is an error stays one. */
export function weigh(findings: readonly Diagnostic[], severities: Severities): readonly Diagnostic[] {
  return severities.size === 0
    ? findings
    : findings.flatMap((found) => {
        const level = found.severity === 'error' ? undefined : severities.get(found.code);
        return level === undefined ? [found] : level === 'off' ? [] : [{ ...found, severity: level }];
      });
}
