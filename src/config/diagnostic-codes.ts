import type { Severity } from '../model/diagnostic.ts';

/** What is known of a code before any finding carries it. */
export interface DiagnosticCodeFacts {
  /** How much a finding of this code weighs. */
  readonly severity: Severity;
  /** What the code means, one line. */
  readonly title: string;
}

const TABLE = {
  'project/not-found': { severity: 'error', title: 'There is no project file here or in a folder above' },
  'project/several': { severity: 'error', title: 'The named paths belong to different projects' },
  'project/not-a-member': { severity: 'error', title: 'A named path is not among the files of the project' },

  'config/file-not-found': { severity: 'error', title: 'A named file does not exist' },
  'config/file-unreadable': { severity: 'error', title: 'A file cannot be read' },
  'config/empty-glob': { severity: 'error', title: 'A pattern of `files` matches nothing' },
  'config/pattern-too-open': { severity: 'error', title: 'A pattern of files that takes too long to match' },
  'config/path-outside': { severity: 'error', title: 'A path is outside the project folder' },
  'config/no-scope': { severity: 'error', title: 'A file names neither a zone nor an account' },
  'config/two-scopes': { severity: 'error', title: 'A file names both a zone and an account' },
  'config/unknown-phase': { severity: 'error', title: 'A phase that does not exist' },
  'config/phase-level': { severity: 'error', title: 'A phase that does not exist at this level' },
  'config/duplicate-entrypoint': { severity: 'error', title: 'An entry point is declared twice' },
  'config/duplicate-ruleset': { severity: 'error', title: 'A custom ruleset is declared twice' },
  'config/slug-collision': { severity: 'error', title: 'Two custom rulesets have one slug' },
  'config/scope-setting-conflict': { severity: 'error', title: 'Files of one scope disagree' },
  'config/duplicate-ref': { severity: 'error', title: 'Two rules of a ruleset have one `ref`' },
  'config/duplicate-id': { severity: 'error', title: 'Two rules of a ruleset have one `id`' },
  'config/ref-not-owned': { severity: 'error', title: 'A rule whose `ref` no ownership pattern matches' },
  'config/action-in-phase': { severity: 'error', title: 'An action that this phase does not take here' },
  'config/parameter-in-phase': {
    severity: 'error',
    title: 'A parameter, or a value of it, that this phase does not take',
  },
  'config/missing-ratelimit': { severity: 'error', title: 'A rate limiting rule without `ratelimit`' },
  'config/unexpected-ratelimit': { severity: 'error', title: '`ratelimit` where no rate is limited' },
  'config/unexpected-credential-check': {
    severity: 'error',
    title: '`exposed_credential_check` where no rule has one',
  },
  'config/missing-credential-check': {
    severity: 'error',
    title: 'A custom ruleset rewrites a request without `exposed_credential_check`',
  },
  'config/unused-logging': { severity: 'warning', title: '`logging` on a rule that does not skip' },
  'config/undeclared-ruleset': {
    severity: 'warning',
    title: 'A custom ruleset that the scope does not declare',
  },
  'config/ruleset-phase': { severity: 'error', title: 'A custom ruleset of another phase is executed' },
  'config/ruleset-absent': { severity: 'error', title: 'A custom ruleset is used and asked to be deleted' },
  'config/parameter-twice': {
    severity: 'error',
    title: 'A parameter is in `action_parameters` and in `extra_parameters`',
  },
  'config/deprecated-parameter': { severity: 'warning', title: 'A parameter that the service retires' },
  'config/ignored-list-item': {
    severity: 'error',
    title: 'An ignored field is named by its place in a list',
  },
  'config/expired-ignore': { severity: 'warning', title: 'An ignored difference whose last day has passed' },
  'config/no-such-day': { severity: 'error', title: 'A day that the calendar does not have' },

  'config/zone-twice': { severity: 'error', title: 'A list of zones has one of them twice' },

  'lint/unreachable-rule': { severity: 'warning', title: 'A rule that no request reaches' },
  'lint/skip-without-effect': { severity: 'warning', title: 'A rule that skips nothing' },
  'lint/repeated-execute': { severity: 'warning', title: 'A zone executes a managed ruleset twice' },
  'lint/enterprise-clause': {
    severity: 'warning',
    title: 'An account rule that is not limited to Enterprise zones',
  },
  'lint/rate-limit-period': { severity: 'warning', title: 'A counting period that does not exist' },
  'lint/rate-limit-characteristics': {
    severity: 'warning',
    title: 'Characteristics of a rate limit that do not go together',
  },
  'lint/rate-limit-expression': {
    severity: 'warning',
    title: 'An expression that a rate limit cannot have',
  },
  'lint/plain-secret': { severity: 'warning', title: 'A value that looks like a secret, in clear' },
  'lint/compression-order': { severity: 'warning', title: 'Compression algorithms that are never used' },
  'lint/header-twice': { severity: 'warning', title: 'A rule changes one header twice' },
  'lint/log-field-case': { severity: 'warning', title: 'A logged header that is not in lower case' },
  'lint/log-rule': { severity: 'warning', title: 'Custom log fields in another form than one rule for all' },
  'lint/missing-ref': { severity: 'info', title: 'A rule without `ref`' },

  'severity/unknown-code': { severity: 'error', title: 'A severity for a code that does not exist' },
  'severity/fixed': { severity: 'error', title: 'A severity for a finding that has to be an error' },
  'suppression/malformed': {
    severity: 'warning',
    title: 'A comment that suppresses no code or gives no reason',
  },
  'suppression/unknown-code': { severity: 'warning', title: 'A suppression of a code that does not exist' },
  'suppression/of-error': { severity: 'warning', title: 'A suppression of an error, which stays' },
  'suppression/unused': { severity: 'warning', title: 'A suppression of what is not found' },

  'pack/unknown': { severity: 'error', title: 'A pack that does not exist' },
  'pack/duplicate': { severity: 'error', title: 'Two packs have one name' },
  'pack/cycle': { severity: 'error', title: 'Packs that use each other in a cycle' },
  'pack/too-deep': { severity: 'error', title: 'Packs nested deeper than is read' },
  'pack/too-many-rules': { severity: 'error', title: 'Packs that make more rules than is read' },
  'pack/wrong-phase': { severity: 'error', title: 'A pack in a phase that it is not for' },
  'pack/missing-argument': { severity: 'error', title: 'An argument of a pack is missing' },
  'pack/unknown-argument': { severity: 'error', title: 'An argument that the pack has no parameter for' },
  'pack/wrong-argument': { severity: 'error', title: 'An argument that the parameter does not take' },
  'pack/wrong-default': { severity: 'error', title: 'A default that its parameter does not take' },
  'pack/unused': { severity: 'warning', title: 'A pack that nothing uses' },
  'pack/unused-parameter': { severity: 'warning', title: 'A parameter that no rule of its pack has' },

  'variable/undefined': { severity: 'error', title: 'A variable that is not declared' },
  'variable/malformed': { severity: 'error', title: 'A `${` that begins no variable' },
  'variable/in-key': { severity: 'error', title: 'A variable in a key' },
  'variable/unset': { severity: 'error', title: 'A variable whose environment variable is not set' },
  'variable/wrong-kind': { severity: 'error', title: 'A variable that cannot be used here' },
  'variable/closes-quote': { severity: 'error', title: 'A value that would end the literal around it' },
  'variable/wrong-value': {
    severity: 'error',
    title: 'A value from outside that its variable does not take',
  },
  'variable/declared-twice': { severity: 'error', title: 'A variable in `vars` and in `env`' },
  'variable/secret': { severity: 'error', title: 'A secret that is no value of rules' },
  'variable/sensitive': { severity: 'error', title: 'A sensitive variable that cannot be kept secret' },
  'variable/too-much': { severity: 'error', title: 'Variables that bring more text than is read' },
  'variable/unused': { severity: 'warning', title: 'A variable that nothing uses' },

  'list/unknown': { severity: 'error', title: 'A list that the account does not have' },
  'list/wrong-kind': { severity: 'error', title: 'A list that holds something else than is looked up in it' },

  'test/not-a-test-file': { severity: 'error', title: 'A named path is no test file of the project' },
  'test/none-found': { severity: 'error', title: 'There are no tests' },

  'yaml/syntax': { severity: 'error', title: 'The file is not valid YAML' },
  'yaml/not-utf8': { severity: 'error', title: 'The file is not UTF-8 text' },
  'yaml/control-character': { severity: 'error', title: 'A control character in the file' },
  'yaml/text-direction': { severity: 'warning', title: 'A character that hides the order of a line' },
  'yaml/not-unicode': { severity: 'error', title: 'A text that cannot be sent' },
  'yaml/merge-key': { severity: 'error', title: 'A merge key, which YAML 1.2 does not have' },
  'yaml/too-large': { severity: 'error', title: 'The file is larger than is read' },
  'yaml/too-deep': { severity: 'error', title: 'Values are nested deeper than is read' },
  'yaml/empty-file': { severity: 'error', title: 'The file has no content' },
  'yaml/several-documents': { severity: 'error', title: 'The file holds more than one document' },
  'yaml/duplicate-key': { severity: 'error', title: 'A key appears twice in one mapping' },
  'yaml/key-not-text': { severity: 'error', title: 'A key that is not text' },
  'yaml/unknown-alias': { severity: 'error', title: 'An alias without its anchor' },
  'yaml/alias-cycle': { severity: 'error', title: 'An alias inside of its own anchor' },
  'yaml/too-many-aliases': { severity: 'error', title: 'Aliases that unfold to too much' },
  'yaml/unknown-tag': { severity: 'error', title: 'A tag that means nothing here' },
  'yaml/not-a-number': { severity: 'error', title: 'A number that JSON cannot carry' },
  'yaml/octal-looking': { severity: 'warning', title: 'A number that older YAML reads as octal' },

  'schema/unknown-key': { severity: 'error', title: 'A key that does not exist here' },
  'schema/missing-key': { severity: 'error', title: 'A key is missing' },
  'schema/no-value': { severity: 'error', title: 'A key without a value' },
  'schema/wrong-type': { severity: 'error', title: 'A value of the wrong type' },
  'schema/unknown-value': { severity: 'error', title: 'A value that is not one of those allowed' },
  'schema/unknown-action': { severity: 'error', title: 'An action that does not exist' },
  'schema/missing-action': { severity: 'error', title: 'A rule without an action' },
  'schema/wrong-form': { severity: 'error', title: 'A text of the wrong form' },
  'schema/out-of-bounds': {
    severity: 'error',
    title: 'A value that is too small, too large, too short or too long',
  },
  'schema/one-of': { severity: 'error', title: 'Exactly one of several keys is needed' },
  'schema/not-together': { severity: 'error', title: 'Keys that cannot be used together' },
  'schema/needs-key': { severity: 'error', title: 'A key that needs another one' },
  'schema/repeated-item': { severity: 'error', title: 'A list holds one item twice' },
  'schema/missing-item': { severity: 'error', title: 'A list lacks an item' },
  'schema/invalid': { severity: 'error', title: 'A value that the schema refuses' },
} as const satisfies Readonly<Record<string, DiagnosticCodeFacts>>;

/** A code of this folder's findings. Findings about expressions carry the codes of the rules language. */
export type DiagnosticCode = keyof typeof TABLE;

/** Every code, its default severity and its one-line title. */
export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, DiagnosticCodeFacts>> = TABLE;
