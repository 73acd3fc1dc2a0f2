import type { ApplicationText } from '@stricli/core';
import { ArgumentScannerError, formatMessageForArgumentScannerError, text_en } from '@stricli/core';
import { escapeLines } from '../report/index.ts';
import { shownUrl, flagWord } from '../cli/index.ts';
import { FOREIGN_COMMANDS, FOREIGN_FLAGS } from './habits.ts';

/** Returns the framework's texts, with our headings and our messages about wrong usage; `hear` is called with each message as well. */
export function usageText(hear: (message: string) => void): ApplicationText {
  const wrong = (message: string): string => {
    hear(message);
    return wrongUsage(message);
  };
  return {
    ...text_en,
    noCommandRegisteredForInput: ({ input, corrections }) =>
      wrong(
        `there is no command ${input}${FULL_NAMES[input] ?? FOREIGN_COMMANDS[input] ?? didYouMean(corrections)}`,
      ),
    exceptionWhileParsingArguments: (error) => wrong(argumentMessage(error)),
  };
}

const COMMENT_COMMANDS = '; it is rulewright github plan-comment, and rulewright gitlab plan-note';

/** Hints for forge commands that are typed without their group, or as the other forge names them. */
const FULL_NAMES: Readonly<Record<string, string>> = {
  'plan-comment': COMMENT_COMMANDS,
  'plan-note': COMMENT_COMMANDS,
};

function argumentMessage(error: unknown): string {
  if (!(error instanceof ArgumentScannerError)) {
    return error instanceof Error ? error.message : String(error);
  }
  return formatMessageForArgumentScannerError(error, {
    FlagNotFoundError: ({ input, corrections }) =>
      `there is no flag --${input}${INSTEAD[input] ?? FOREIGN_FLAGS[input] ?? didYouMean(corrections.map(flagName))}`,
    AliasNotFoundError: ({ input }) =>
      `there is no flag -${input}${LONG[input] ?? '; -h is the only short one'}`,
    ArgumentParseError: ({ externalFlagNameOrPlaceholder, input, exception }) =>
      `${nameOf(externalFlagNameOrPlaceholder)} ${typed(externalFlagNameOrPlaceholder, input)}: ${exception instanceof Error ? exception.message : String(exception)}`,
    EnumValidationError: ({ externalFlagName, input, values }) =>
      `${nameOf(externalFlagName)} ${JSON.stringify(input)}: expected one of ${values.join(', ')}`,
    UnsatisfiedFlagError: ({ externalFlagName }) => `${nameOf(externalFlagName)} needs a value`,
    UnexpectedFlagError: ({ externalFlagName, input, previousInput }) =>
      `${nameOf(externalFlagName)} is given twice${previousInput === 'true' && input === 'true' ? '' : `: ${typed(externalFlagName, previousInput)} and ${typed(externalFlagName, input)}`}`,
    UnexpectedPositionalError: ({ input }) => `unexpected argument ${JSON.stringify(input)}`,
    UnsatisfiedPositionalError: ({ placeholder }) => `${placeholder} is missing${FORMS[placeholder] ?? ''}`,
  });
}

/** What a missing argument looks like, where its name does not say it. */
const FORMS: Readonly<Record<string, string>> = {
  SCOPE: ': a zone by name or id, or account:NAME',
  RULESET: ': a phase such as http_ratelimit, PHASE/custom:NAME, or an id',
};

/** Hints for flags that are commands of their own, or have another name in another command, as somebody may remember or guess them. */
const INSTEAD: Readonly<Record<string, string>> = {
  'remove-overrides': '; it is a command: rulewright waf remove-overrides ZONE',
  yes: '; waf finish takes --confirm ZONE instead, and commands that write nothing do not ask',
  confirm: '; --yes answers where a command asks',
  target: '; this command takes what it is about as an argument',
};

/** Hints for single letters that are flags of other programs. */
const LONG: Readonly<Record<string, string>> = {
  c: didYouMean(['--config']),
  f: didYouMean(['--format']),
  o: didYouMean(['--output']),
  q: didYouMean(['--quiet']),
  v: didYouMean(['--verbose']),
};

/** Quotes the input of a flag or an argument; of a base URL, only the parts that cannot be a secret. */
function typed(name: string, input: string | undefined): string {
  return JSON.stringify(flagName(name) === '--base-url' ? shownUrl(input ?? '') : input);
}

/** Returns the name of a flag, or of an argument, which comes as its placeholder in capitals. */
function nameOf(name: string): string {
  return name === name.toUpperCase() ? name : flagName(name);
}

/** Returns a flag as it is typed, with dashes; the framework suggests flags as the code spells them. */
function flagName(name: string): string {
  return flagWord(name.replace(/^`?-*/, '').replace(/`$/, ''));
}

function didYouMean(corrections: readonly string[]): string {
  const names = corrections.map((name) => name.replaceAll('`', ''));
  return names.length === 0 ? '' : `; did you mean ${names.join(' or ')}?`;
}

/** Returns a message about wrong usage as it is shown, without a line break at its end. */
export function wrongUsage(message: string): string {
  const [first = '', ...rest] = escapeLines(message);
  return ['error usage/invalid', `  ${first}`, ...rest.map((line) => `  ${line}`)].join('\n');
}
