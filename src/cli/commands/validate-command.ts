import { PATHS } from '../arguments.ts';
import { command } from '../command.ts';
import { validate, usage } from '../../app/index.ts';
import type { ProjectCounts, Selection, ValidateResult } from '../../app/index.ts';
import type { AppliedFix, Diagnostic, NotFixed } from '../../model/index.ts';
import { PLAN_LEVELS } from '../../model/index.ts';
import { counted } from '../../text/index.ts';
import { desiredJson, validationJson } from '../../report/index.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { BasicFormat, ExtraResult, ValidationFormat } from '../formats.ts';
import { BASIC_FORMATS, VALIDATION_FORMATS, formatFlags } from '../formats.ts';
import { findingsRenderings } from '../renderings.ts';
import { writeResult } from '../result.ts';
import { selectionOf } from '../service-choice.ts';
import type { FormatFlags } from '../flags.ts';
import type { FlagsOf } from '../flag.ts';
import { choiceFlag, switchFlag } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS } from '../flags.ts';

/** Flags of `validate`. */
const VALIDATE_FLAGS = {
  fix: switchFlag('Fix in the files what is safe to fix'),
  plan: choiceFlag(PLAN_LEVELS, 'Judge every zone by this plan level, whatever the files say'),
  across: switchFlag('Compare the addresses and lists of all zones, too'),
  expand: switchFlag('Print the files with packs and variables filled in'),
  ...PROJECT_FLAGS,
  ...RESULT_FLAGS,
  verbose: switchFlag('Show each finding by itself, and stack traces'),
  ...formatFlags(VALIDATION_FORMATS),
};

/** The values of `VALIDATE_FLAGS`. */
type ValidateFlags = FlagsOf<typeof VALIDATE_FLAGS>;

/** Checks the files, with `--fix` after fixing them. The result is the findings or, if there are no errors, also the counts. */
async function runValidate(
  context: CliContext,
  flags: ValidateFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const selection = { ...selectionOf(context, flags, paths), plan: flags.plan, across: flags.across };
  if (flags.expand === true) {
    return runExpand(context, flags, selection);
  }
  context.signal.throwIfAborted();
  const fixed = flags.fix === true ? await fix(selection) : undefined;
  const { signal: _, ...whole } = selection;
  // Fixes are reported even after an interruption.
  const result = await validate(fixed === undefined ? selection : whole);
  const { diagnostics } = result;
  const left = fixed?.open(diagnostics) ?? [];
  await writeResult(context, flags, {
    // What lays findings out is loaded only if there are some.
    ...(diagnostics.length > 0 || fixed !== undefined || result.kind !== 'valid'
      ? {}
      : {
          text: () =>
            told(result, flags)
              .map((text) => `${text}\n`)
              .join(''),
        }),
    document: async (detail) => {
      const { diagnosticsDocument } = await import('../../report/index.ts');
      const fixes = fixed?.fixes ?? [];
      const closing = [
        fixed === undefined ? fixable(diagnostics) : nothingMended(fixes, left, diagnostics),
        ...(result.kind === 'valid' ? told(result, flags) : []),
      ];
      return diagnosticsDocument(result, {
        detail,
        fixes,
        notFixed: left,
        closing: closing.filter((text) => text !== '').map((text) => [text]),
      });
    },
    json: () => ({
      ...validationJson({ valid: result.kind === 'valid', diagnostics }),
      ...(fixed === undefined ? {} : { fixed: fixed.fixes, notFixed: left }),
    }),
    ...findingsRenderings(result, selection, context),
  });
  return result.kind === 'valid' ? EXIT.done : EXIT.failed;
}

/** Fixes the files; the code that edits files is loaded only for this. */
async function fix(selection: Selection): Promise<{
  readonly fixes: readonly AppliedFix[];
  readonly open: (diagnostics: readonly Diagnostic[]) => readonly NotFixed[];
}> {
  const { fixFiles, notFixed } = await import('../../app/index.ts');
  const { fixes, left } = await fixFiles(selection);
  return { fixes, open: (diagnostics) => notFixed(left, diagnostics) };
}

/** Prints the files with packs and variables filled in; the findings go to stderr. */
async function runExpand(context: CliContext, flags: ValidateFlags, selection: Selection): Promise<ExitCode> {
  const { expand } = await import('../../app/index.ts');
  const { reportFindings, reportInvalidFiles } = await import('../run/report-findings.ts');
  const expanded = expandedFlags(flags);
  const result = await expand(selection);
  if (result.kind === 'invalid') {
    return reportInvalidFiles(context, flags, result);
  }
  reportFindings(context, flags, result);
  await writeResult(context, expanded, {
    document: () => ({
      title: 'Rulewright validate --expand',
      body: [{ kind: 'verbatim', language: 'yaml', lines: result.yaml().trimEnd().split('\n') }],
    }),
    text: result.yaml,
    json: () => desiredJson(result.scopes),
  });
  return EXIT.done;
}

/** Returns the flags for `--expand`, which has fewer formats than the findings. Throws for other formats, and for `--fix`. */
function expandedFlags({
  fix: mends,
  format,
  report = [],
  ...rest
}: ValidateFlags): FormatFlags<BasicFormat> {
  const basic = BASIC_FORMATS.find((one) => one === format);
  const reports = report.flatMap((one) => (isBasic(one) ? [one] : []));
  if (basic === undefined || reports.length < report.length || mends === true) {
    throw usage(
      '--expand prints YAML, or JSON with --format json or --report json=FILE, and cannot be combined with --fix',
    );
  }
  return { ...rest, format: basic, report: reports };
}

function isBasic(extra: ExtraResult<ValidationFormat>): extra is ExtraResult<BasicFormat> {
  return BASIC_FORMATS.some((one) => one === extra.format);
}

function fixable(diagnostics: readonly Diagnostic[]): string {
  const count = diagnostics.filter((diagnostic) => diagnostic.fixable === true).length;
  if (count === 0) {
    return '';
  }
  return `rulewright validate --fix can fix ${diagnostics.length === 1 ? 'it' : `${count} of them`}.`;
}

/** Returns what is said of valid files. */
function told(
  { counts, switchedOff, diagnostics }: Extract<ValidateResult, { readonly kind: 'valid' }>,
  { across }: ValidateFlags,
): readonly string[] {
  const agree = across === true && !diagnostics.some(({ code }) => code.startsWith('across/'));
  return [
    valid(counts),
    ...(agree ? ['Side by side, the zones say nothing different of an address or a list.'] : []),
    ...notLooked(switchedOff),
  ];
}

/** Returns the line that names what `lint` switches off, so that "Valid" hides nothing; empty if nothing is. */
function notLooked(codes: readonly string[]): readonly string[] {
  return codes.length === 0 ? [] : [`Not reported, since \`lint\` switches it off: ${codes.join(', ')}.`];
}

/** Returns the message that `--fix` found nothing to fix although there are findings; else empty. */
function nothingMended(
  fixes: readonly AppliedFix[],
  left: readonly NotFixed[],
  diagnostics: readonly Diagnostic[],
): string {
  return fixes.length > 0 || left.length > 0 || diagnostics.length === 0
    ? ''
    : 'Nothing was fixed: no finding here has exactly one right answer.';
}

function valid({ files, scopes, rulesets, rules, lists }: ProjectCounts): string {
  const beside = lists === 0 ? '' : ` and ${counted(lists, 'list')}`;
  return `Valid: ${counted(rules, 'rule')} in ${counted(rulesets, 'ruleset')}${beside} of ${counted(scopes, 'scope')}, from ${counted(files, 'file')}.`;
}

/** `rulewright validate`. */
export const validateCommand = command({
  run: runValidate,
  ofProject: true,
  text: `Loads all files of the project and prints every finding with its place. Needs no
network. Exit code 1 if there is an error.`,
  examples: [
    ['rulewright validate', 'the project of this folder'],
    ['rulewright validate zones/shop.yaml', 'one file of it'],
    ['rulewright validate --fix', 'fix what is safe to fix'],
    ['rulewright validate --plan pro', 'would it do with the Pro plan?'],
    ['rulewright validate --across', 'what zones say differently of an address'],
    ['rulewright validate --expand', 'with packs and variables filled in'],
    ['rulewright validate --expand --format json', 'the same for policy engines'],
    ['rulewright validate --format json', 'as JSON'],
    ['rulewright validate --format sarif', 'for code scanning'],
  ],
  flags: VALIDATE_FLAGS,
  positional: PATHS,
});
