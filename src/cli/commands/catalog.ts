import { command } from '../command.ts';
import { nonEmpty } from '../flag.ts';
import { CATALOG_FLAGS } from '../flags/catalog.ts';

/** `rulewright catalog`. */
export const catalogCommand = command({
  run: async () => (await import('../run/catalog.ts')).runCatalog,
  brief: 'List managed rulesets, their rules and tags',
  text: "Lists the vendor's rulesets with the names that files use for them. For one\nruleset, it shows the rules with the ids and tags that overrides refer to. With\n--lock, it records the managed rules that overrides in the files affect; plan\nand drift then tell which were added or removed since.",
  examples: [
    ['rulewright catalog', 'all managed rulesets'],
    ['rulewright catalog cloudflare-managed-ruleset', 'the rules of one'],
    ['rulewright catalog --tag wordpress', 'rules with a tag, in all rulesets'],
    ['rulewright catalog --search log4j --zone shop.example', 'rules that contain a text'],
    ['rulewright catalog --lock', 'record which rules overrides affect'],
  ],
  flags: CATALOG_FLAGS,
  positional: {
    kind: 'tuple',
    parameters: [
      {
        parse: nonEmpty,
        optional: true,
        placeholder: 'RULESET',
        brief: 'A managed ruleset by name or id; its rules are shown',
      },
    ],
  },
});
