import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Pack } from './pack.ts';
import type { Variable } from './variable.ts';

/** What bounds what packs and variables can make of small files. All are counted, none is timed. */
export const COMPOSE_LIMITS = {
  /** Packs inside one another. */
  depth: 8,
  /** Rules of one ruleset, and uses of packs that they come through. */
  rulesOfRuleset: 20_000,
  /** Rules that packs make in one project, and uses of packs inside packs. */
  rules: 1_000_000,
  /** Characters that variables bring into one project. */
  characters: 256 * 1024 * 1024,
} as const;

/** One run of putting a project together: the packs it may use, and what it noticed. */
export interface Composition {
  readonly packs: ReadonlyMap<string, Pack>;
  /** Names of packs that have findings of their own already; `any` where a name could not be made out. */
  readonly broken: ReadonlySet<string> | 'any';
  readonly usedPacks: Set<Pack>;
  readonly usedVariables: Set<Variable>;
  readonly brought: Brought;
  /** Variables of the project, or of the file under work. */
  readonly declared: Variable[];
  /** Found in it. */
  readonly diagnostics: Diagnostic[];
}

/** What packs and variables have brought into the project so far. */
interface Brought {
  rules: number;
  characters: number;
  /** Whether it was told that variables bring too much. */
  told: boolean;
}

/** The begin of a run. */
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

/** The same run at work on a file, which has variables and findings of its own. */
export function compositionOfFile(composition: Composition): Composition {
  return { ...composition, declared: [], diagnostics: [] };
}
