/**
 * What several rooms do with files: search by pattern, locks, texts with the right error, real paths.
 *
 * Promises: no file is half written; a failure names the file and what can be done; links at or below `.rulewright` are refused.
 * Never: knows what is in a file.
 */
export { errorCode, exists, isDenied, isMissing } from './file-errors.ts';
export { MAX_SPELLINGS, NODE_MODULES, findFiles, isNamedBy, isPattern, spellOut } from './find-files.ts';
export type { FoundFiles, UnreadPath } from './find-files.ts';
export { holdFile, lockOf } from './lock-file.ts';
export type { FileHold, Holder } from './lock-file.ts';
export {
  decodeUtf8,
  explainMissing,
  explainReadError,
  oddByteText,
  readText,
  unreadText,
} from './read-text.ts';
export type { OddByte } from './read-text.ts';
export { isInside, isStream, realPlace } from './real-path.ts';
export { hintForFile, OWN_FOLDER, refuseLinks } from './refuse-links.ts';
export { makeFolder, namingFile, writeText } from './write-text.ts';
