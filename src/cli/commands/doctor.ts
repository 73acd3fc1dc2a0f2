import { command } from '../command.ts';
import { DOCTOR_FLAGS } from '../flags/doctor.ts';

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
  flags: DOCTOR_FLAGS,
});
