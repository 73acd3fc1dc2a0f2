import type { AppliedFix, NotFixed } from '../../model/diagnostic.ts';
import { formatPlace } from '../../model/source.ts';
import { counted } from '../../model/count.ts';
import { BLANK, hanging, layOut, line, span } from '../layout.ts';
import type { Look } from '../theme.ts';

/** Formats the changes that fixes made to files, one per line; "" for none. */
export function fixesText(fixes: readonly AppliedFix[], look: Look): string {
  const files = new Set(fixes.map(({ where }) => where.file)).size;
  return fixes.length === 0
    ? ''
    : layOut(
        [
          line(
            0,
            span('strong', `Fixed ${counted(fixes.length, 'place')} in ${counted(files, 'file')}`),
            ':',
          ),
          ...fixes.map(({ code, where, before, after }) =>
            hanging(
              2,
              4,
              formatPlace(where),
              span('dim', `  ${code}`),
              '  ',
              span('removed-words', shown(before)),
              after === '' ? ' removed' : ' → ',
              span('added-words', after === '' ? '' : shown(after)),
            ),
          ),
          BLANK,
        ],
        look,
      );
}

/** Formats which files were not fixed, and why; "" for none. */
export function notFixedText(left: readonly NotFixed[], look: Look): string {
  return left.length === 0
    ? ''
    : layOut(
        [
          line(0, span('strong', 'Not fixed'), ':'),
          ...left.map(({ file, reason, because }) => hanging(2, 4, file, `  ${REASONS[reason](because)}`)),
        ],
        look,
      );
}

const REASONS: Readonly<Record<NotFixed['reason'], (because: readonly string[]) => string>> = {
  unreadable: () => 'it cannot be read: fix its error first',
  'uses-unknown': (because) =>
    `what is right where the pack is used is not known before ${because.join(' and ')} can be read`,
  'not-safe': () => 'the fix would also change something else: fix it by hand',
};

/** Trims a text; one of nothing but blanks is shown in quotes. */
function shown(text: string): string {
  return text.trim() === '' ? JSON.stringify(text) : text.trim();
}
