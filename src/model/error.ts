/**
 * All error codes with their meanings; `docs/errors.md` shows this table. Programs rely on codes, so codes stay stable; messages may change.
 * Findings in files have codes of their own (`src/config/source/finding.ts`).
 */
export const ERROR_CODES = {
  'api/aborted': 'The run was interrupted while a request waited or was under way.',
  'api/ambiguous-scope': 'A name fits several zones or accounts.',
  'api/bad-base-url': 'The base URL of the service cannot be used.',
  'api/bad-credentials': 'The token, or the email and key, cannot be sent in a header.',
  'api/bad-path': 'A name or an id cannot be a part of a request.',
  'api/bad-proxy': 'The proxy of the environment cannot be used.',
  'api/connection-lost': 'The connection ended before the answer did.',
  'api/dry-run-wrote': 'The service wrote although it was asked for a dry run.',
  'api/forbidden': 'The token may not do this.',
  'api/misuse': 'A client was used in a way that it does not allow: a bug.',
  'api/not-found': 'The service has no such thing.',
  'api/not-json': 'The answer is not what the service would send.',
  'api/rate-limited': 'The request limit is used up, also after waiting.',
  'api/redirected': 'The service answered with a redirect, which is not followed.',
  'api/refused': 'The service refused the request.',
  'api/server-error': 'The service failed (5xx).',
  'api/timeout': 'No answer came in time.',
  'api/tls': 'No trusted connection could be made.',
  'api/unauthorized': 'The service does not accept the credentials.',
  'api/unexpected-answer': 'The answer lacks what it must have, or has another shape.',
  'api/unknown-scope': 'There is no zone or account of this name that the token can see.',
  'api/unreachable': 'No connection to the service, or to the proxy.',
  'api/unsuccessful': 'The service answered without an error and without success.',
  'app/emulator': 'The embedded service could not be started.',
  'app/no-credentials': 'No token is set for the service.',
  'apply/bug': 'Rulewright itself failed in the middle of a step.',
  'apply/in-doubt': 'It is not known whether a write took effect.',
  'apply/interrupted': 'The run was interrupted before the step was done.',
  'apply/journal': 'The journal cannot be read or written; nothing is written without it.',
  'apply/misuse': 'A part of apply was used in a way that it does not allow: a bug.',
  'apply/not-brought-back': 'Rules of others that an earlier apply overwrote are not back.',
  'apply/not-held': 'The run no longer has its journal for itself, so it writes nothing more.',
  'apply/other-service': 'The plan was made for another service.',
  'apply/plan-mismatch': 'The plan does not describe live as it is at the version that it names.',
  'apply/preflight': 'The service refused the step when it was asked to check it.',
  'apply/running': 'Another run is using the journal.',
  'apply/stale': 'Live is no longer what the step was planned from.',
  'apply/stopped': 'The step was not continued, since another one failed.',
  'apply/touched': 'Somebody else changed the ruleset that was to be put back.',
  'apply/unexpected-result': 'The service took the write, and the result is not what was asked for.',
  'apply/waf-migration': 'The managed rules of a zone wait for its WAF migration.',
  'apply/waf-not-checked': 'Whether the WAF migration of a zone is finished could not be read.',
  'apply/went-back':
    'An earlier apply ended while it put back what it had written; this one put back the rest.',
  'bug/unexpected': 'Rulewright itself failed.',
  'catalog/no-ruleset': 'There is no such managed ruleset.',
  'config/changed-while-running': 'A file changed while the run read it.',
  'confirm/declined': 'Somebody was asked before a write, and did not agree.',
  'confirm/no-terminal': 'There was nobody to ask before a write, and no flag agreed to it.',
  'convert/file-exists': 'The file for converted rules exists already.',
  'convert/phase-claimed': 'The files declare the phase of the converted rules already.',
  'environment/base-url': 'CLOUDFLARE_BASE_URL cannot be used.',
  'environment/credentials': 'The variables for credentials do not fit together.',
  'firewall/moving': 'The firewall rules changed while they were read.',
  'firewall/one-list': 'The old rules are the custom rules, so deleting them would delete what is live.',
  'firewall/order': 'The order of the list and that of priorities differ.',
  'firewall/place': 'No place among the custom rules leaves everything as it is.',
  'firewall/unclear-world': 'It is not clear whether the old rules are the custom rules.',
  'forge/bad-answer': 'The answer of GitHub or GitLab cannot be read.',
  'forge/bad-event': 'The event of the workflow run cannot be read.',
  'forge/interrupted': 'Posting was interrupted; a part may be posted.',
  'forge/no-run': 'The variables of a workflow or pipeline run are not set.',
  'forge/no-token': 'The token for GitHub or GitLab is not set.',
  'forge/rate-limited': 'The request limit of GitHub or GitLab is used up.',
  'forge/unreachable': 'GitHub or GitLab could not be reached.',
  'forge/unsettled': 'Comments or the issue could not be brought up to date.',
  'import/file-exists': 'A file is in the way of one that the import would write.',
  'import/not-exact': 'The files would not say exactly what is live.',
  'import/octorules': 'The configuration of octorules, or a file that it leads to, cannot be read.',
  'import/outside': 'A file would be written outside of the project, behind a link.',
  'import/terraform-configuration': 'The folder has no configuration of Terraform that can be read.',
  'import/terraform-state': 'The file has no state of Terraform or OpenTofu that can be read.',
  'import/unsaved': 'Following live would lose what Git does not have.',
  'init/project-exists': 'The folder has a project already.',
  'list/unknown': 'A rule names a list that the account does not have.',
  'list/wrong-kind': 'A rule uses a list of another kind.',
  'live/ambiguous-ruleset': 'Several custom rulesets have the name that is meant.',
  'live/bug': 'Reading live state failed for an unforeseen reason.',
  'live/changed-while-reading': 'Live state changed while it was read.',
  'live/failed': 'A zone or an account could not be read.',
  'live/scope-declared-twice': 'Two files name the same zone or account in different ways.',
  'live/unknown-owner': 'It is not known whether a custom ruleset belongs to the zone or to its account.',
  'live/unusable-id': 'A live ruleset or rule has no usable id.',
  'lock/invalid': 'The lock file of managed rules is not valid.',
  'lock/not-written': 'The lock file of managed rules cannot be written.',
  'lock/unreadable': 'The lock file of managed rules cannot be read.',
  'merge/refused': 'The files to merge do not belong together.',
  'merge/unreadable': 'A file to merge cannot be read.',
  'output/not-written': 'A result could not be written.',
  'output/refused': 'A result would replace a file that is used otherwise, or pass for one.',
  'plan/ambiguous-name': 'A name in the files fits several rulesets.',
  'plan/invalid': 'The saved plan does not have the form of a plan.',
  'plan/list-kind': 'A list is declared with another kind than it has live.',
  'plan/moved-since': 'Live is no longer what the plan left behind.',
  'plan/no-room': 'The request bound never leaves room to read the scope.',
  'plan/not-checked': 'The request bound left the scope to a later run.',
  'plan/not-json': 'The saved plan is not JSON.',
  'plan/not-read': 'A phase could not be read.',
  'plan/reference-cycle': 'Rulesets execute each other in a ring.',
  'plan/rule-claimed': 'A rule names a live rule that it cannot have.',
  'plan/setting-read-only': 'The service does not let a declared setting be changed.',
  'plan/too-deep': 'The saved plan is nested too deeply.',
  'plan/unknown-id': 'A rule names a ruleset, managed rule or category that does not exist.',
  'plan/unknown-setting': 'A saved plan changes a setting that this version does not know.',
  'plan/unreadable': 'The saved plan cannot be read.',
  'plan/unresolved-reference': 'A name in the files fits no ruleset.',
  'project/not-found': 'There is no project file here or above.',
  'ratelimits/unclear-world': 'It is not known how the zone runs its old rate limits.',
  'replay/log': 'A log cannot be read, or its form is not known.',
  'replay/moved': 'Live is no longer as it was when the plan was made.',
  'replay/not-planned': 'No zone of the plan can be replayed.',
  'report/invalid': 'The file is not a report of this kind.',
  'report/unreadable': 'The report cannot be read.',
  'rollback/not-recorded': 'The journal has no run that changed the list or setting.',
  'rollback/unknown-ownership': 'The files cannot say whose rules are whose.',
  'scan/no-such-path': 'A path to scan is not there.',
  'sensitive/foreign-reference': 'The service holds a text that looks like a reference to a sensitive value.',
  'sensitive/no-key': 'A saved plan needs a key for the digests of sensitive values.',
  'sensitive/not-allowed': 'No flag allows the file or the command that a sensitive value comes from.',
  'sensitive/not-read': 'A sensitive value could not be read from its file, or its command gave none.',
  'sensitive/unknown-place': 'It is not known where an older version may hold a sensitive value.',
  'sensitive/unknown-value': 'A sensitive value is not set, or is not the one of the plan.',
  'sensitive/unusable-value':
    'A sensitive value cannot be told apart from other text, or cannot stand in a rule.',
  'sensitive/weak-key': 'The key for digests is too short.',
  'settings/invalid-revision': 'The files of the Git revision are not valid.',
  'settings/no-revision': 'Git has no such revision.',
  'settings/revision-unread': 'The Git revision cannot be read.',
  'usage/invalid': 'The command line is wrong.',
  'usage/no-scope': 'The credentials can see no zone and no account.',
  'usage/no-zone': 'No zone is named, and the project has none.',
  'usage/part-of-scope': 'The command needs whole zones and accounts.',
  'usage/unknown-target': 'The files have no such zone, account or phase.',
  'usage/unknown-wave': 'The plan has no such wave.',
  'versions/ambiguous-ruleset': 'Several rulesets have the name that is meant.',
  'versions/in-doubt': 'It is not known whether a version was deleted.',
  'versions/managed': "The ruleset is the vendor's and cannot be changed.",
  'versions/no-phase': 'There is no such phase.',
  'versions/no-ruleset': 'There is no such ruleset.',
  'versions/no-version': 'The ruleset has no such version.',
  'versions/refused': 'A guard refused to delete a version.',
  'waf/being-finished': 'The migration is being finished, and there is no way back to validation mode.',
  'waf/guarded': 'A guard refused the step of the migration.',
  'waf/no-configuration': 'The files do not declare the managed rules of the zone.',
  'waf/no-migration': 'The plan level of the zone has no managed rules to migrate.',
  'waf/no-validation-mode': 'The plan level of the zone has no validation mode.',
  'waf/not-eligible': 'The zone cannot be migrated now.',
  'waf/nothing-to-migrate': 'There is nothing to migrate in the zone.',
  'waf/other-rules': 'The step was taken, and the managed rules are not those that were sent.',
  'waf/other-rulesets': 'The files also change rulesets that a migration does not write.',
  'waf/stale': 'The zone is no longer as it was when the step was shown.',
  'waf/unknown-state': 'The service says a state of the migration that is not known here.',
  'webhook/failed': 'The webhook did not accept the message.',
  'webhook/no-url': 'The address of the webhook is not set, or cannot be used.',
} as const satisfies Record<string, string>;

/**
 * An error code. Failures of the operating system have their own name after `system/`, and answers of GitHub or GitLab their status after
 * `forge/http-`.
 */
export type ErrorCode = keyof typeof ERROR_CODES | `forge/http-${number}` | `system/${string}`;

/** Whose fault an error is: the user's input, the service or the way to it, or ours. */
export type FaultOrigin = 'user' | 'remote' | 'bug';

/** What an error carries beside its message. */
export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly fault: FaultOrigin;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The one error class of the project: a stable code, a message, and what to do about it. */
export class RulewrightError extends Error {
  readonly code: ErrorCode;
  readonly fault: FaultOrigin;
  readonly hint: string | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'RulewrightError';
    this.code = details.code;
    this.fault = details.fault;
    this.hint = details.hint;
  }
}

/** Returns what was thrown if it is a `RulewrightError`; rethrows anything else, which is a bug. */
export function knownError(error: unknown): RulewrightError {
  if (error instanceof RulewrightError) {
    return error;
  }
  throw error;
}

/** Returns the message of what was thrown, which need not be an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The parts of an error that JSON documents contain. */
export interface ErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

export function errorFacts({ code, message, hint }: ErrorFacts): ErrorFacts {
  return { code, message, hint };
}
