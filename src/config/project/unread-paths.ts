import type { UnreadPath } from '../../files/find-files.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourceSpan } from '../../model/source.ts';
import { finding } from '../source/finding.ts';

/** Returns the finding about a folder or link that a pattern leads to and that cannot be read; `where` is the pattern. */
export function unreadOnTheWay({ path, reason }: UnreadPath, where?: SourceSpan): Diagnostic {
  return finding('config/file-unreadable', {
    message: `${path} ${reason}`,
    hint: 'make it readable for this user, or remove it: what it holds is not known',
    where,
  });
}
