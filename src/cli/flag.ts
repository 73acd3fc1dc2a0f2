import type { TypedPositionalParameters } from '@stricli/core';
import type { CommandContext } from './context.ts';

/** The framework's parameters for the arguments of a command. */
export type ArgumentsFor<Args extends readonly unknown[]> = TypedPositionalParameters<Args, CommandContext>;

/** The values of a command's flags, derived from their parameters; optional flags may be undefined. */
export type FlagsOf<Parameters> = {
  readonly [Name in keyof Parameters as Parameters[Name] extends OptionalFlag ? never : Name]: GivenValue<
    Parameters[Name]
  >;
} & {
  readonly [Name in keyof Parameters as Parameters[Name] extends OptionalFlag ? Name : never]?:
    | GivenValue<Parameters[Name]>
    | undefined;
};

interface OptionalFlag {
  readonly optional: true;
}

type GivenValue<Parameter> = Parameter extends { readonly variadic: true | ',' }
  ? readonly One<Parameter>[]
  : One<Parameter>;

/** The value of one use of a flag. */
type One<Parameter> = Parameter extends { readonly kind: 'boolean' }
  ? boolean
  : Parameter extends { readonly kind: 'enum'; readonly values: readonly (infer Word)[] }
    ? Word
    : Parameter extends { readonly parse: (text: string) => infer Value }
      ? Value
      : never;

/** Returns a flag as it is typed: with dashes in place of capitals. */
export function flagWord(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A flag without a value. */
export function switchFlag(brief: string) {
  return { kind: 'boolean', optional: true, withNegated: false, brief } as const;
}

/** A flag with a value that `parse` reads; an error of `parse` is shown to the user. */
export function valueFlag<Value>(parse: (text: string) => Value, placeholder: string, brief: string) {
  return { kind: 'parsed', parse, optional: true, placeholder, brief } as const;
}

/** A flag with a value that `parse` reads, and a default. */
export function valueFlagOr<Value>(
  parse: (text: string) => Value,
  unlessGiven: string,
  { placeholder, brief }: { readonly placeholder: string; readonly brief: string },
) {
  return { kind: 'parsed', parse, default: unlessGiven, placeholder, brief } as const;
}

/** A flag with a value that may be given several times. */
export function listFlag<Value>(parse: (text: string) => Value, placeholder: string, brief: string) {
  return { ...valueFlag(parse, placeholder, brief), variadic: true } as const;
}

/** A flag whose value is one of several words. */
export function choiceFlag<const Word extends string>(values: readonly Word[], brief: string) {
  return { kind: 'enum', values, optional: true, brief } as const;
}

/** A flag whose value is one of several words; the first is the default. */
export function choiceFlagOr<const Word extends string>(values: readonly [Word, ...Word[]], brief: string) {
  return { kind: 'enum', values, default: values[0], brief } as const;
}

/** A flag whose value is a non-empty text. */
export function textFlag(placeholder: string, brief: string) {
  return valueFlag(nonEmpty, placeholder, brief);
}

/**
 * What a run does to a file: reads it, writes a result or a project file to it, or keeps in it what later runs need. Users never name a lock.
 */
export type FileUse = 'read' | 'written' | 'scope-file' | 'journal' | 'state' | 'lock';

/** A file of a run, and the words that name it. */
export interface NamedFile {
  readonly words: string;
  readonly path: string;
  readonly use: FileUse;
}

/** A flag with the path of a file that the run writes. */
export function fileFlag(placeholder: string, brief: string) {
  return { ...valueFlag(filePath, placeholder, brief), file: 'written' } as const;
}

/** A flag with the path of a zone or account file that the run writes. */
export function scopeFileFlag(placeholder: string, brief: string) {
  return { ...fileFlag(placeholder, brief), file: 'scope-file' } as const;
}

/** A flag with the path of a journal, or of the state of the emulator. */
export function keptFlag<const Use extends FileUse>(use: Use, placeholder: string, brief: string) {
  return { ...fileFlag(placeholder, brief), file: use };
}

/** A flag with the path of a file that the run only reads. */
export function inputFlag(placeholder: string, brief: string) {
  return { ...valueFlag(filePath, placeholder, brief), file: 'read' } as const;
}

/** Parses a path, which must be neither empty nor `-`, by which other tools mean a stream. */
export function filePath(text: string): string {
  if (text === '-') {
    throw new Error('it does not stand for a stream here; a file of this name is ./-');
  }
  return nonEmpty(text);
}

/** Parses a text that must not be empty. */
export function nonEmpty(text: string): string {
  if (text.trim() === '') {
    throw new Error('it is empty');
  }
  return text;
}
