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
  /** Each pack that a use has named, by its name: the pack, or why there is none. */
  readonly askedPacks: Map<string, AskedPack>;
  readonly usedVariables: Set<Variable>;
  readonly brought: Brought;
  /** Variables of the project, or of the file being composed. */
  readonly declared: Variable[];
  /** Findings about the project's variables, or about the file being composed. */
  readonly diagnostics: Diagnostic[];
}

/** A pack; or `broken` for one that has findings of its own, and `unknown` for one that no file declares. */
export type AskedPack = Pack | 'broken' | 'unknown';

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
    askedPacks: new Map(),
    usedVariables: new Set(),
    brought: { rules: 0, characters: 0, told: false },
    declared: [],
    diagnostics: [],
  };
}

/** Returns the composition of one file: what it uses and finds is its own until it is counted. */
export function compositionOfFile(composition: Composition): Composition {
  return {
    ...composition,
    askedPacks: new Map(),
    usedVariables: new Set(),
    brought: { ...composition.brought },
    declared: [],
    diagnostics: [],
  };
}

/** What a file uses of its project, and what it brings. */
export interface FileUsage {
  readonly packs: ReadonlyMap<string, AskedPack>;
  /** Names of variables that the project declares. */
  readonly variables: ReadonlySet<string>;
  /** Names of the variables that the file declares. */
  readonly declares: readonly string[];
  readonly brought: Readonly<Brought>;
}

/** Returns what a file has used, by the composition of the file and that of its project. */
export function usageOf(file: Composition, { brought, declared }: Composition): FileUsage {
  const used = declared.filter((variable) => file.usedVariables.has(variable));
  return {
    packs: file.askedPacks,
    variables: new Set(used.map(({ name }) => name)),
    declares: file.declared.map(({ name }) => name),
    brought: {
      rules: file.brought.rules - brought.rules,
      characters: file.brought.characters - brought.characters,
      told: file.brought.told,
    },
  };
}

/** Adds what a file has used to the composition of its project. */
export function countUsage(project: Composition, usage: FileUsage): void {
  const { askedPacks, usedVariables, declared, brought } = project;
  usage.packs.forEach((pack, name) => askedPacks.set(name, pack));
  declared.filter(({ name }) => usage.variables.has(name)).forEach((variable) => usedVariables.add(variable));
  brought.rules += usage.brought.rules;
  brought.characters += usage.brought.characters;
  brought.told ||= usage.brought.told;
}
