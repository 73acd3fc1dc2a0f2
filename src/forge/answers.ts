import { RulewrightError } from '../model/error.ts';
import { numberAt } from './shape.ts';

/** What must stand in the answers of a forge, and the error where it does not. */
export interface Answers {
  readonly badAnswer: (what: string) => RulewrightError;
  /** The whole number of an entry. Throws `forge/bad-answer` where there is none. */
  readonly numberOf: (entry: unknown, key: string) => number;
}

/** How the answers of a forge are read, of which the variable names the address. */
export function answersOf(forge: string, variable: string): Answers {
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
