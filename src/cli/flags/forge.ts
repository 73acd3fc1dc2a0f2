import { WEBHOOK_SHAPES } from '../../forge/index.ts';
import type { FlagsOf } from '../flag.ts';
import {
  choiceFlag,
  fileFlag,
  inputFlag,
  nonEmpty,
  switchFlag,
  textFlag,
  valueFlag,
  valueFlagOr,
} from '../flag.ts';
import { PROJECT_FLAGS, RESULT_FLAGS, between } from '../flags.ts';

/** Flags of every command that talks to a forge. */
export const FORGE_FLAGS = {
  name: textFlag('NAME', "The project's name in comments (default: its folder)"),
  config: PROJECT_FLAGS.config,
  ...RESULT_FLAGS,
};

/** The values of `FORGE_FLAGS`. */
export type ForgeFlags = FlagsOf<typeof FORGE_FLAGS>;

const POSTING_FLAGS = {
  findings: inputFlag('FILE', 'JSON of validate, if no plan could be made'),
  pending: switchFlag('Only mark the posted comment as outdated'),
  subject: choiceFlag(['plan', 'apply'], 'Where FILE comes from, if it only reports a failure'),
  artifact: fileFlag('FILE', 'Also write the whole text to a file'),
  ...FORGE_FLAGS,
};

/** The values that `plan-comment` and `plan-note` share. */
export type PostingFlags = FlagsOf<typeof POSTING_FLAGS>;

/** Flags of `plan-comment`. */
export const PLAN_COMMENT_FLAGS = { pullRequest: requestNumber('pull request'), ...POSTING_FLAGS };

/** The values of `PLAN_COMMENT_FLAGS`. */
export type PlanCommentFlags = FlagsOf<typeof PLAN_COMMENT_FLAGS>;

/** Flags of `plan-note`. */
export const PLAN_NOTE_FLAGS = { mergeRequest: requestNumber('merge request'), ...POSTING_FLAGS };

/** The values of `PLAN_NOTE_FLAGS`. */
export type PlanNoteFlags = FlagsOf<typeof PLAN_NOTE_FLAGS>;

/** Flags of `drift-issue`. */
export const DRIFT_ISSUE_FLAGS = {
  label: valueFlagOr(nonEmpty, 'rulewright-drift', {
    placeholder: 'LABEL',
    brief: 'The label that marks the issues',
  }),
  webhook: choiceFlag(WEBHOOK_SHAPES, 'Notify RULEWRIGHT_WEBHOOK_URL when the state changes'),
  ...FORGE_FLAGS,
};

/** The values of `DRIFT_ISSUE_FLAGS`. */
export type DriftIssueFlags = FlagsOf<typeof DRIFT_ISSUE_FLAGS>;

function requestNumber(request: string) {
  return valueFlag(between(1, 2 ** 31), 'N', `The ${request} (default: that of this run)`);
}
