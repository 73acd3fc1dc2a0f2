import {
  LIVE_FLAGS,
  allowText,
  ZONE_ARGUMENT,
  ZONE_ARGUMENTS,
  command,
  commandGroup,
} from '../../cli/index.ts';
import {
  WAF_VALIDATE_FLAGS,
  WAF_FINISH_FLAGS,
  ZONE_FILE_RESULT,
  ZONE_LIST_FLAGS,
  RETIRE_FLAGS,
} from '../legacy-flags.ts';

/** Guards that cannot apply to a step on one zone and one phase. */
const NEVER = ['scopes', 'settings', 'foreign', 'incomplete'] as const;

const status = command({
  run: async () => (await import('./run-waf.ts')).runWafStatus,
  brief: 'Show the state of zones',
  text: `Shows for each zone whether the old and the new managed rules are on, the state
of its migration, and the next command. Without a zone, it takes those of the
project.`,
  examples: [
    ['rulewright waf status', 'all zones of the project'],
    ['rulewright waf status shop.example', 'one zone'],
    ['rulewright waf status --all-zones', 'every zone that the token can read'],
  ],
  flags: ZONE_LIST_FLAGS,
  positional: ZONE_ARGUMENTS,
});

const check = command({
  run: async () => (await import('./run-waf.ts')).runWafCheck,
  brief: 'Check whether zones can be migrated',
  text: `Asks the service whether zones can be migrated, and names everything that is in
the way, with its remedy. Exit code 2 if something is in the way. Without a
zone, it takes those of the project.`,
  examples: [
    ['rulewright waf check', 'all zones of the project'],
    ['rulewright waf check --all-zones', 'every zone that the token can read'],
  ],
  flags: ZONE_LIST_FLAGS,
  positional: ZONE_ARGUMENTS,
});

const removeOverrides = command({
  run: async () => (await import('./run-waf.ts')).runWafRemoveOverrides,
  brief: 'Delete the URI-based overrides, which are in the way',
  text: `Deletes the URI-based overrides of the old WAF: a zone that still has any
cannot be migrated. Shows what it deletes, asks, saves a snapshot in
.rulewright/waf, and deletes them one at a time. This cannot be undone, so it
needs --allow irreversible.`,
  examples: [
    ['rulewright waf remove-overrides shop.example --dry-run --allow irreversible', 'show, delete nothing'],
    ['rulewright waf remove-overrides shop.example --allow irreversible', 'ask, then delete'],
  ],
  flags: RETIRE_FLAGS,
  positional: ZONE_ARGUMENT,
});

const config = command({
  run: async () => (await import('./run-waf.ts')).runWafConfig,
  brief: 'Write the generated configuration as YAML, for review',
  text: `Fetches the configuration that the service generates from the old WAF, and
writes it as a project file. Its comments say what is not carried over, what
changed, and what became a skip rule. A comparison of old and new settings goes
to stderr.`,
  examples: [
    ['rulewright waf config shop.example', 'read it'],
    ['rulewright waf config shop.example --output zones/shop-managed.yaml', 'keep it'],
  ],
  flags: { ...LIVE_FLAGS, ...ZONE_FILE_RESULT },
  positional: ZONE_ARGUMENT,
});

const validate = command({
  run: async () => (await import('./run-waf-step.ts')).runWafValidate,
  brief: 'Switch the new managed rules on beside the old (Enterprise)',
  text: `Sends the managed rules of the project's files as the first step of the
migration: both versions are then on, the new one first. Shows the plan and
asks. There is no way back to the old version alone.

${allowText(NEVER)}`,
  examples: [
    ['rulewright waf validate shop.example --dry-run', 'show, write nothing'],
    ['rulewright waf validate shop.example', 'ask, then send'],
  ],
  flags: WAF_VALIDATE_FLAGS,
  positional: ZONE_ARGUMENT,
});

const finish = command({
  run: async () => (await import('./run-waf-step.ts')).runWafFinish,
  brief: 'Finish the migration: there is no way back',
  text: `Sends the managed rules of the project's files as the last step of the
migration: the previous WAF is switched off permanently. Shows the plan, asks
for the zone's name, saves a snapshot in .rulewright/waf, sends once, and waits
until it is complete. To wait again after an interruption, run the same command.

${allowText(NEVER)}`,
  examples: [
    ['rulewright waf finish shop.example --dry-run', 'show, write nothing'],
    ['rulewright waf finish shop.example', 'ask, send, wait'],
    ['rulewright waf finish shop.example --confirm shop.example', 'in a script'],
  ],
  flags: WAF_FINISH_FLAGS,
  positional: ZONE_ARGUMENT,
});

/** `rulewright waf check|remove-overrides|config|validate|finish|status`. */
export const wafCommands = commandGroup({
  brief: 'Migrate a zone from the old WAF, step by step',
  text: `Migrates a zone from the previous WAF to the new managed rules, step by step.
The migration is irreversible. Each step checks the zone first, saves a snapshot,
and shows the state of the zone afterwards.`,
  examples: [
    ['rulewright waf check shop.example', 'what is in the way'],
    ['rulewright waf remove-overrides shop.example', 'delete what is in the way'],
    ['rulewright waf config shop.example', 'the generated rules, for review'],
    ['rulewright waf validate shop.example', 'both versions on (Enterprise)'],
    ['rulewright waf finish shop.example', 'the previous version off, permanently'],
    ['rulewright waf status', 'the state of all zones'],
  ],
  routes: { check, removeOverrides, config, validate, status, finish },
});
