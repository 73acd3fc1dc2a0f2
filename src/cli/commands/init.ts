import { command } from '../command.ts';
import { INIT_FLAGS } from '../flags/init.ts';

/** `rulewright init`. */
export const initCommand = command({
  run: async () => (await import('../run/init.ts')).runInit,
  brief: 'Begin a project, from nothing or from live',
  text: `Writes a project that passes validate: a project file, zone files, schemas for
editors, workflows. From what is live, if you name a zone or an account.
In an existing project, --ci adds workflows. On a terminal it asks.
Overwrites nothing.`,
  examples: [
    ['rulewright init', 'asks, or writes an example'],
    ['rulewright init --zone shop.example', 'from what is live in a zone'],
    ['rulewright init --all-zones --emulator', 'try it: from the embedded service'],
    ['rulewright init --zone shop.example --ci github', 'with workflows'],
    ['rulewright init --ci gitlab', 'also in an existing project'],
    ['rulewright init --out rules', 'in another folder'],
  ],
  flags: INIT_FLAGS,
});
