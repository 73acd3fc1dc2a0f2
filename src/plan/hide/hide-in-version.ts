import type { RuleContent } from '../../model/rule.ts';
import type { LiveRuleset } from '../../model/ruleset.ts';
import { hasReferences, hideContent } from './hide-text.ts';

/** What is known of a rule today. */
export interface RuleToday {
  readonly id?: string;
  readonly ref?: string;
  readonly content: RuleContent;
}

/**
 * An earlier version of a ruleset without the texts in place of which there is a sensitive value today. To `show` it they are hidden; to
 * `restore` it today's value stays, since whoever asks for the rules of before has no use for a secret that was changed.
 */
export function hideInVersion(
  version: LiveRuleset,
  today: readonly RuleToday[],
  purpose: 'show' | 'restore',
): LiveRuleset {
  const models = today.filter(({ content }) => hasReferences(content));
  const how = purpose === 'show' ? 'all' : 'renew';
  return {
    ...version,
    rules: version.rules.map((rule) => {
      const ofRule = models.filter(({ id, ref }) => id === rule.id || ref === rule.ref);
      const content = ofRule.reduce((hidden, model) => hideContent(hidden, model.content, how), rule.content);
      return { ...rule, content };
    }),
  };
}
