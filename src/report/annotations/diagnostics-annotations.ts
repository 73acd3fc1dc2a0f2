import type { Diagnostic, Severity } from '../../model/index.ts';
import { sortDiagnostics } from '../../model/index.ts';
import { countSentence } from '../diagnostics-document.ts';
import type { AnnotationLevel } from './annotation.ts';
import { annotationsText, placeOf } from './annotation.ts';

const LEVEL_OF: Readonly<Record<Severity, AnnotationLevel>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/** Formats findings about the files as GitHub annotations; `folder` is the project's folder in its repository. */
export function diagnosticsAnnotations(diagnostics: readonly Diagnostic[], folder: string): string {
  const annotations = sortDiagnostics(diagnostics).map(({ severity, code, message, hint, where }) => ({
    level: LEVEL_OF[severity],
    title: code,
    message: hint === undefined ? message : `${message}\nhint: ${hint}`,
    ...placeOf(folder, where),
  }));
  return annotationsText(annotations, diagnostics.length === 0 ? 'Valid.' : countSentence(diagnostics));
}
