import { repairScalar } from '../schema/repair-scalar.ts';
import { schemaErrorsIn } from '../project/scope-file.ts';
import { spanAt } from '../source/source-text.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import type { FixableValue } from './fixable-value.ts';

/** Returns the values of a zone or account file that have the wrong type but leave no doubt which value of the right type is meant. */
export function fixableScalars(document: YamlDocument): readonly FixableValue[] {
  const { source } = document;
  return schemaErrorsIn(document).flatMap((error) => {
    const repair = error.keyword === 'type' ? repairScalar(error) : undefined;
    const range = repair?.place?.scalar.range;
    if (repair?.place === undefined || range === undefined || range === null) {
      return [];
    }
    const [start, end] = range;
    const edit = { start, end, text: repair.text };
    return [
      {
        path: repair.place.path,
        value: repair.value,
        fixes: [
          {
            code: 'schema/wrong-type',
            where: spanAt(source, start, end),
            before: source.text.slice(start, end),
            after: repair.text,
          },
        ],
        edits: [edit],
        rewritten: [],
      },
    ];
  });
}
