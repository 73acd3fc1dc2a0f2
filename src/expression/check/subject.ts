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
import type { TextTest } from '../language/tests.ts';

/** What is known of the place where an expression stands; what is not known is not checked. */
export interface CheckContext {
  /** What the text is for: a rule's filter (the default), a computed value, or what a rate limit counts. */
  readonly use?: Use;
  /** The phase of the ruleset. */
  readonly phase?: string;
  readonly level?: 'zone' | 'account';
  readonly plan?: 'free' | 'pro' | 'business' | 'enterprise';
  /** The names of the lists that exist, without `$`. */
  readonly lists?: ReadonlySet<string>;
  /** What a value must be: a text, or a list of texts (for cache tags). */
  readonly valueType?: 'Bytes' | 'Array<Bytes>';
  /** The functions that may be called here, none inside of another; without it any may. */
  readonly functions?: ReadonlySet<string>;
  /** Other fields and functions than those of the service. */
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

/** A rule: says what it has to say of an expression, in any order. */
export type Rule = (subject: Subject, report: Report) => void;
