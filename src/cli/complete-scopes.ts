import type { CommandContext } from './context.ts';

/** Completions for parameters that name a scope of the project's files. */
export const PROPOSED_SCOPES = proposing(['zone', 'account']);

/** Completions for parameters that name a zone. */
export const PROPOSED_ZONES = proposing(['zone']);

function proposing(kinds: readonly string[]) {
  return {
    proposeCompletions(this: CommandContext, partial: string): Promise<readonly string[]> {
      return namesOf(this, partial, kinds);
    },
  };
}

/** Completions for parameters that name a ruleset: those of the files, of whichever scope. */
export const PROPOSED_RULESETS = {
  async proposeCompletions(this: CommandContext, partial: string): Promise<readonly string[]> {
    try {
      const { declaredRulesets } = await import('../app/index.ts');
      return (await declaredRulesets(this.cli)).filter((name) => name.startsWith(partial));
    } catch {
      return [];
    }
  },
};

/** Returns the names that complete a word; none on any error, since nobody would read it. */
async function namesOf(
  { cli }: CommandContext,
  partial: string,
  kinds: readonly string[],
): Promise<readonly string[]> {
  try {
    const { scopeNames } = await import('../app/index.ts');
    return await scopeNames(cli, { partial, kinds });
  } catch {
    return [];
  }
}
