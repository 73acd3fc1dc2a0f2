import { command, commandGroup } from '../command.ts';
import type { ProjectFlags, ResultFlags, ServiceFlags } from '../flags.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, SERVICE_FLAGS } from '../flags.ts';
import type { WriteFlags } from '../write-flags.ts';
import type { RetireFlags } from './retire.ts';
import { RETIRE_FLAGS } from './retire.ts';
import { ALLOW_TEXT, WRITE_FLAGS } from '../write-flags.ts';
import { switchFlag, textFlag } from '../flag.ts';
import type { FlagsFor } from '../flag.ts';
import { ZONE_ARGUMENT, ZONE_ARGUMENTS } from '../zone-argument.ts';

/** Flags of the commands of the migration that only look. */
export interface WafFlags extends ResultFlags, ServiceFlags, ProjectFlags {}

/** Flags of `waf check`. */
export interface WafCheckFlags extends RetireFlags {
  readonly removeOverrides?: boolean | undefined;
}

interface StepFlags extends WafFlags, Pick<WriteFlags, 'allow' | 'dryRun' | 'journal'> {}

/** Flags of `waf validate`. */
export interface WafValidateFlags extends StepFlags, Pick<WriteFlags, 'yes'> {}

/** Flags of `waf finish`. */
export interface WafFinishFlags extends StepFlags {
  readonly confirm?: string | undefined;
}

const LOOK: FlagsFor<WafFlags> = {
  ...PROJECT_FLAGS,
  ...SERVICE_FLAGS,
  ...RESULT_FLAGS,
};

const STEP = {
  allow: WRITE_FLAGS.allow,
  dryRun: WRITE_FLAGS.dryRun,
  journal: WRITE_FLAGS.journal,
} as const;

const status = command({
  run: async () => (await import('../run/waf.ts')).runWafStatus,
  brief: 'Show the state of zones',
  text: `Shows for each zone whether the old and the new managed rules are on, the state
of its migration, and the next command. Without a zone, it takes those of the
project.`,
  examples: [
    ['rulewright waf status', 'all zones of the project'],
    ['rulewright waf status shop.example', 'one zone'],
  ],
  flags: LOOK,
  positional: ZONE_ARGUMENTS,
});

const check = command({
  run: async () => (await import('../run/waf-check.ts')).runWafCheck,
  brief: 'Check whether zones can be migrated',
  text: `Asks the service whether zones can be migrated, and names everything that is in
the way, with its remedy. Exit code 2 if something is in the way.
--remove-overrides plans the deletion of the URI-based overrides of one zone,
asks, saves a snapshot in .rulewright/waf, and deletes them one at a time.

${ALLOW_TEXT}`,
  examples: [
    ['rulewright waf check', 'all zones of the project'],
    [
      'rulewright waf check shop.example --remove-overrides --allow irreversible',
      'remove what is in the way',
    ],
  ],
  flags: {
    removeOverrides: switchFlag('Delete the URI-based overrides, after asking'),
    ...RETIRE_FLAGS,
  },
  positional: ZONE_ARGUMENTS,
});

const config = command({
  run: async () => (await import('../run/waf-config.ts')).runWafConfig,
  brief: 'Write the generated configuration as YAML, for review',
  text: `Fetches the configuration that the service generates from the old WAF, and
writes it as a project file. Its comments say what is not carried over, what
changed, and what became a skip rule. A comparison of old and new settings goes
to stderr.`,
  examples: [
    ['rulewright waf config shop.example', 'read it'],
    ['rulewright waf config shop.example --output zones/shop-managed.yaml', 'keep it'],
  ],
  flags: LOOK,
  positional: ZONE_ARGUMENT,
});

const validate = command({
  run: async () => (await import('../run/waf-step.ts')).runWafValidate,
  brief: 'Switch the new managed rules on beside the old (Enterprise)',
  text: `Sends the managed rules of the project's files as the first step of the
migration: both versions are then on, the new one first. Shows the plan and
asks. There is no way back to the old version alone.

${ALLOW_TEXT}`,
  examples: [
    ['rulewright waf validate shop.example --dry-run', 'show, write nothing'],
    ['rulewright waf validate shop.example', 'ask, then send'],
  ],
  flags: { yes: WRITE_FLAGS.yes, ...STEP, ...LOOK },
  positional: ZONE_ARGUMENT,
});

const finish = command({
  run: async () => (await import('../run/waf-step.ts')).runWafFinish,
  brief: 'Finish the migration: there is no way back',
  text: `Sends the managed rules of the project's files as the last step of the
migration: the previous WAF is switched off for good. Shows the plan, asks for
the zone's name, saves a snapshot in .rulewright/waf, sends once, and waits for
the end. To wait again after an interruption, run the same command.

${ALLOW_TEXT}`,
  examples: [
    ['rulewright waf finish shop.example --dry-run', 'show, write nothing'],
    ['rulewright waf finish shop.example', 'ask, send, wait'],
    ['rulewright waf finish shop.example --confirm shop.example', 'in a script'],
  ],
  flags: {
    confirm: textFlag('ZONE', 'The name of the zone, instead of typing it'),
    ...STEP,
    ...LOOK,
  },
  positional: ZONE_ARGUMENT,
});

/** `rulewright waf check|config|validate|status|finish`. */
export const wafCommands = commandGroup({
  brief: 'Migrate a zone from the old WAF, step by step',
  text: `Migrates a zone from the previous WAF to the new managed rules, step by step.
The migration is irreversible. Each step checks the zone first, saves a snapshot,
and shows the state of the zone afterwards.`,
  examples: [
    ['rulewright waf check shop.example', 'what is in the way'],
    ['rulewright waf config shop.example', 'the generated rules, for review'],
    ['rulewright waf validate shop.example', 'both versions on (Enterprise)'],
    ['rulewright waf finish shop.example', 'the previous version off, for good'],
    ['rulewright waf status', 'the state of all zones'],
  ],
  routes: { check, config, validate, status, finish },
});
