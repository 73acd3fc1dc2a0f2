import { command } from '../command.ts';
import { switchFlag, textFlag } from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SELECTION_FLAGS, SERVICE_FLAGS } from '../flags.ts';

/** `rulewright doctor`. */
export const doctorCommand = command({
  run: async () => (await import('../run/doctor.ts')).runDoctor,
  brief: 'Check connection, token and permissions',
  text: `Checks the connection, the token, the clock, and what the token can read and
write in each scope and phase of the project. Changes nothing: its test writes
cannot take effect. If many scopes of one kind have the same token, it checks
ten and only looks up the others. Exit code 1 if there is a problem.`,
  examples: [
    ['rulewright doctor', 'the project'],
    ['rulewright doctor --all', 'every scope, however many'],
    ['rulewright doctor --read-only', 'a token that only plans'],
    ['rulewright doctor --zone shop.example', 'one zone'],
    ['rulewright doctor --format json', 'as JSON'],
  ],
  flags: {
    zone: textFlag('NAME', 'Only this zone, by name or id'),
    account: textFlag('NAME', 'Only this account, by name or id'),
    ...PROJECT_FLAGS,
    target: SELECTION_FLAGS.target,
    readOnly: switchFlag('The token is for reading only: do not check writes'),
    all: switchFlag('Check every scope, not ten for each token'),
    ...SERVICE_FLAGS,
    ...RESULT_FLAGS,
    verbose: switchFlag('Show each check and each request'),
  },
});
