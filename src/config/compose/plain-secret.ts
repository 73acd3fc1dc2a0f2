import type { Diagnostic } from '../../model/diagnostic.ts';
import { isJsonArray } from '../../model/json.ts';
import type { JsonValue } from '../../model/json.ts';
import { plainVariable } from '../../model/plain-secrets.ts';
import { finding } from '../source/finding.ts';
import { locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';

/** A value in a file that a variable or parameter gets. */
interface WrittenValue {
  readonly document: YamlDocument;
  readonly path: ValuePath;
  readonly name: string;
  readonly value: JsonValue | undefined;
}

/** Reports the texts of a value that look like secrets: everybody who reads the file or a plan would read them. Quotes none of them. */
export function checkPlainSecret({ document, path, name, value }: WrittenValue): readonly Diagnostic[] {
  if (isJsonArray(value)) {
    return value.flatMap((item, index) =>
      checkPlainSecret({ document, path: [...path, index], name, value: item }),
    );
  }
  const what = typeof value === 'string' ? plainVariable(name, value) : undefined;
  return what === undefined
    ? []
    : [
        finding('variable/plain-secret', {
          message: `the value of \`${name}\` looks like ${what}, and is here in clear text`,
          hint: `declare \`${name}\` in the project file, under \`env\`: \`{ from: …, sensitive: true }\`, and change the value, since others could read it; if it is no secret, give it another name`,
          where: locateValue(document, path),
        }),
      ];
}
