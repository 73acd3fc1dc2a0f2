import type { Diagnostic } from '../../model/index.ts';
import type { Pack, Variable } from './pack.ts';

/** Limits on what packs and variables can make of small files. All of them are counts; none is a time. */
export const COMPOSE_LIMITS = {
  /** Depth of packs inside one another. */
  depth: 8,
  /** Rules of one ruleset, plus the uses of packs that bring them. */
  rulesOfRuleset: 20_000,
  /** Rules that packs bring into one project, plus the uses of packs inside packs. */
  rules: 1_000_000,
  /** Characters that variables bring into one project. */
  characters: 256 * 1024 * 1024,
} as const;

/** The state of composing a project: the packs it may use, and what was noticed. */
export interface Composition {
  readonly packs: ReadonlyMap<string, Pack>;
  /** Names of packs that already have findings of their own; `any` where a name could not be made out. */
  readonly broken: ReadonlySet<string> | 'any';
  readonly usedPacks: Set<Pack>;
  readonly usedVariables: Set<Variable>;
  readonly brought: Brought;
  /** Variables of the project, or of the file being composed. */
  readonly declared: Variable[];
  /** Findings about the project's variables, or about the file being composed. */
  readonly diagnostics: Diagnostic[];
}

/** What packs and variables have brought into the project so far. */
interface Brought {
  rules: number;
  characters: number;
  /** Whether it was reported that variables bring too many characters. */
  told: boolean;
}

/** Starts composing a project. */
export function startComposition(
  packs: ReadonlyMap<string, Pack>,
  broken: Composition['broken'],
): Composition {
  return {
    packs,
    broken,
    usedPacks: new Set(),
    usedVariables: new Set(),
    brought: { rules: 0, characters: 0, told: false },
    declared: [],
    diagnostics: [],
  };
}

/** Returns the composition of one file, with variables and findings of its own, and the rest shared. */
export function compositionOfFile(composition: Composition): Composition {
  return { ...composition, declared: [], diagnostics: [] };
}
