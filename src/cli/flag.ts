/** A flag that is given or not. */
export interface SwitchFlag {
  readonly kind: 'boolean';
  readonly optional: true;
  readonly withNegated: false;
  readonly brief: string;
}

/** A flag with a value, which need not be given. */
export interface ValueFlag<Value> {
  readonly kind: 'parsed';
  readonly parse: (text: string) => Value;
  readonly optional: true;
  readonly placeholder: string;
  readonly brief: string;
}

/** A flag that is given or not. */
export function switchFlag(brief: string): SwitchFlag {
  return { kind: 'boolean', optional: true, withNegated: false, brief };
}

/** A flag with a value that `parse` reads; what it throws is shown. */
export function valueFlag<Value>(
  parse: (text: string) => Value,
  placeholder: string,
  brief: string,
): ValueFlag<Value> {
  return { kind: 'parsed', parse, optional: true, placeholder, brief };
}

/** A flag with a text that is not empty. */
export function textFlag(placeholder: string, brief: string): ValueFlag<string> {
  return valueFlag(nonEmpty, placeholder, brief);
}

/** A flag with the path of a file. */
export function fileFlag(placeholder: string, brief: string): ValueFlag<string> {
  return valueFlag(filePath, placeholder, brief);
}

/** A path that is not empty, and not the sign by which other tools mean a stream. */
export function filePath(text: string): string {
  if (text === '-') {
    throw new Error('it stands for no stream here; a file of this name is ./-');
  }
  return nonEmpty(text);
}

/** A text that is not empty. */
export function nonEmpty(text: string): string {
  if (text.trim() === '') {
    throw new Error('it is empty');
  }
  return text;
}
