import type {
  Call,
  Combination,
  Comparison,
  Field,
  Not,
  Operand,
  Quantifier,
  Tree,
} from '../language/ast.ts';
import type { Scheme } from '../language/scheme.ts';
import type { Use } from '../language/place.ts';
import type { Report } from './finding.ts';
import type { TextTest } from '../language/field-tests.ts';

/** What is known of the place where an expression stands; what is unknown is not checked. */
export interface CheckContext {
  /** What the text is for: a rule's filter (the default), a computed value, or what a rate limit counts. */
  readonly use?: Use;
  /** The phase of the ruleset. */
  readonly phase?: string;
  readonly level?: 'zone' | 'account';
  /** Whether the rule stands in an entry point of an account: there it only deploys a ruleset, and its condition is the scope of it. */
  readonly isScope?: boolean;
  readonly plan?: 'free' | 'pro' | 'business' | 'enterprise';
  /** The names of the lists that exist, without `$`. */
  readonly lists?: ReadonlySet<string>;
  /** The type that a value must have: a string, or a list of strings (for cache tags); a string by default. */
  readonly valueType?: 'Bytes' | 'Array<Bytes>';
  /** The only functions that may be called, and not inside one another; any function when absent. */
  readonly functions?: ReadonlySet<string>;
  /** Fields and functions to use instead of the service's. */
  readonly scheme?: Scheme;
}

/** An expression that parsed, with its parts in the order in which they stand. */
export interface Subject {
  readonly text: string;
  readonly tree: Tree;
  readonly context: CheckContext;
  readonly combinations: readonly Combination[];
  readonly negations: readonly Not[];
  readonly quantifiers: readonly Quantifier[];
  readonly comparisons: readonly Comparison[];
  readonly operands: readonly Operand[];
  readonly fields: readonly Field[];
  readonly calls: readonly Call[];
  /** The tests of fields against fixed texts. */
  readonly texts: readonly TextTest[];
}

/** A check: reports what it finds in an expression, in any order. */
export type Check = (subject: Subject, report: Report) => void;
