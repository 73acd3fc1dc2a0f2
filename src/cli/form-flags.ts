import { filePath, listFlag } from './flag.ts';
import { formatFlag } from './flags.ts';
import type { ResultFlags } from './flags.ts';
import type { Format, Report } from './formats.ts';

/** For commands with forms for people, for machines and for forges, several of which may be wanted of one run. */
export interface FormFlags<F extends Format> extends ResultFlags<F> {
  readonly report?: readonly Report<F>[] | undefined;
}

/** Flags of any command with a result. */
export type AnyResultFlags = ResultFlags<Format> & Partial<Pick<FormFlags<Format>, 'report'>>;

/** The parameters `--format` and `--report` of a command that has more formats than `RESULT_FLAGS` gives it. */
export function formFlags<F extends Format>(values: readonly (F | 'text')[]) {
  return {
    format: formatFlag(values),
    report: listFlag(reportOf(values), 'FORMAT=FILE', 'Also write it in another format (repeatable)'),
  };
}

function reportOf<F extends Format>(values: readonly F[]): (text: string) => Report<F> {
  return (text) => {
    const [, word, path] = /^([^=]*)=(.+)$/su.exec(text) ?? [];
    const form = values.find((value) => value === word);
    if (form === undefined || path === undefined) {
      throw new Error(
        `expected a format and a file, such as ${values.at(-1)}=FILE; the formats are ${values.join(', ')}`,
      );
    }
    return { form, path: filePath(path) };
  };
}
