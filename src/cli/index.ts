/**
 * The commands, for `start`, and what commands are made of, for extensions that bring some of their own: flags, output, progress, questions, and the
 * service that flags choose.
 *
 * Promises: a result goes to stdout, all else to stderr; before a command writes, it shows what it would do, lets guards refuse it, and asks; exit codes
 * come from one table.
 * Never: touches the process, which `start` connects, or does the work of a use case.
 */
export { ZONE_ARGUMENT, ZONE_ARGUMENTS, paths } from './arguments.ts';
export { shownUrl } from './flags.ts';
export { proseLines, twoColumns } from './columns.ts';
export type { ColumnPair } from './columns.ts';
export { command, commandGroup } from './command.ts';
export type { CommandTable, CommandTarget } from './command.ts';
export { COMMANDS } from './commands.ts';
export type { CliContext, CommandContext, OutputStream } from './context.ts';
export { APPLY_EXIT, EXIT, frameworkExit, readingExit } from './exit-code.ts';
export type { ExitCode } from './exit-code.ts';
export { writeErrorJson } from './report-failure.ts';
export { choiceFlag, flagWord, scopeFileFlag, switchFlag, textFlag, valueFlag } from './flag.ts';
export type { FlagsOf } from './flag.ts';
export { LIVE_FLAGS, RESULT_FLAGS } from './flags.ts';
export type { AnyFlags, LiveFlags } from './flags.ts';
export { SCAN_FORMATS, formatFlags } from './formats.ts';
export { startCounting, startProgress } from './progress.ts';
export { detailOf, tell, writeResult } from './result.ts';
export type { Result } from './result.ts';
export { tellDocument } from './tell-document.ts';
export { seeToCrashed } from './run/apply/restore-edits.ts';
export { ask, showInText } from './run/ask.ts';
export type { Question } from './run/ask.ts';
export type { EndedEarly } from './run/report-findings.ts';
export { startGuarded } from './run/guarded.ts';
export type { GuardedService } from './run/guarded.ts';
export { whileHolding, whileHoldingFile } from './run/holding.ts';
export { planFiles } from './run/plan-files.ts';
export type { Planned } from './run/plan-files.ts';
export { allowWords, commandText, option, projectWords, serviceWords } from './run/rerun-command.ts';
export { journalChoice, tellUnfinished } from './run/journal-of-run.ts';
export { selectionOf, serviceOf, serviceOptions } from './service-choice.ts';
export { startSession } from './session.ts';
export { WRITE_FLAGS, allowText } from './write-flags.ts';
