import type { Diagnostic } from '../../../model/diagnostic.ts';
import { plainSecrets } from '../../../model/plain-secrets.ts';
import { finding } from '../../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { locateValue } from '../../yaml/yaml-document.ts';

/** Reports what looks like a secret and can be read by everybody who can read the files. */
export function lintSecrets(
  { document, address }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  return plainSecrets(address.phase, value).map(({ what, path: inRule }) =>
    finding('lint/plain-secret', {
      message: `${what} looks like a secret, and is here in clear text`,
      hint: 'make it a sensitive variable, and change the value if others could read this file',
      where: locateValue(document, [...path, ...inRule]),
    }),
  );
}
