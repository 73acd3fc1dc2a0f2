import { RulewrightError } from '../model/error.ts';
import { numberAt } from './shape.ts';

/** Reads required members of a forge's answers, and makes the error for a malformed answer. */
export interface AnswerReaders {
  readonly badAnswer: (what: string) => RulewrightError;
  /** Returns the integer member of an entry. Throws `forge/bad-answer` when there is none. */
  readonly numberOf: (entry: unknown, key: string) => number;
}

/** Returns the readers for a forge; `variable` is the environment variable that holds its address, for the hint. */
export function answerReaders(forge: string, variable: string): AnswerReaders {
  const badAnswer = (what: string): RulewrightError =>
    new RulewrightError(`${forge}'s answer cannot be read: ${what}`, {
      code: 'forge/bad-answer',
      fault: 'remote',
      hint: `check ${variable}: something else than ${forge} answered`,
    });
  return {
    badAnswer,
    numberOf: (entry, key) => {
      const number = numberAt(entry, key);
      if (number === null) {
        throw badAnswer(`an entry without ${key}`);
      }
      return number;
    },
  };
}
