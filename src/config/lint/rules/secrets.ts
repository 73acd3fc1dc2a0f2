import type { Diagnostic } from '../../../model/diagnostic.ts';
import { plainSecrets } from '../../../model/plain-secrets.ts';
import { finding } from '../../finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { locateValue } from '../../yaml/yaml-document.ts';

/** Values of headers that look like secrets, and that everybody can read who can read the files or a plan. */
export function lintSecrets(
  { document, address }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  return plainSecrets(address.phase, value).map(({ header, path: inRule }) =>
    finding('lint/plain-secret', {
      message: `the value of the header ${header} looks like a secret, and stands here in clear`,
      hint: 'make it a sensitive variable, and change the value if others could read this file',
      where: locateValue(document, [...path, ...inRule]),
    }),
  );
}
