import type { Diagnostic, Severity, SourceSpan } from '../../model/index.ts';

/** Properties of a diagnostic code. */
export interface DiagnosticCodeFacts {
  /** Usual severity of a finding with this code. */
  readonly severity: Severity;
  /** Meaning of the code in one line. */
  readonly title: string;
}

const error = (title: string) => ({ severity: 'error', title }) as const;
const warning = (title: string) => ({ severity: 'warning', title }) as const;
const note = (title: string) => ({ severity: 'info', title }) as const;

const TABLE = {
  'project/not-found': error('There is no project file here or in a folder above'),
  'project/several': error('The named paths belong to different projects'),
  'project/not-a-member': error('A named path is not among the files of the project'),

  'config/file-not-found': error('A named file does not exist'),
  'config/file-unreadable': error('A file cannot be read'),
  'config/empty-glob': error('A pattern of `files` matches nothing'),
  'config/file-left-out': warning('A zone or account file that no pattern of `files` matches'),
  'config/pattern-too-open': error('A pattern of files that takes too long to match'),
  'config/path-outside': error('A path is outside the project folder'),
  'config/no-scope': error('A file names neither a zone nor an account'),
  'config/two-scopes': error('A file names both a zone and an account'),
  'config/unknown-phase': error('A phase that does not exist'),
  'config/phase-level': error('A phase that does not exist at this level'),
  'config/phase-elsewhere': error('A phase whose rules another interface writes'),
  'config/duplicate-entrypoint': error('An entry point is declared twice'),
  'config/duplicate-ruleset': error('A custom ruleset is declared twice'),
  'config/duplicate-list': error('A list is declared twice'),
  'config/duplicate-setting': error('Files of one scope disagree on a setting'),
  'config/read-only-setting': error('A setting that nobody can write'),
  'config/two-doors': error('A setting is declared beside the entry point that is the same state'),
  'config/slug-collision': error('Two custom rulesets have the same slug'),
  'config/scope-setting-conflict': error('Files of one scope disagree'),
  'config/duplicate-ref': error('Two rules of a ruleset have the same `ref`'),
  'config/duplicate-id': error('Two rules of a ruleset have the same `id`'),
  'config/ref-not-owned': error('A rule whose `ref` no ownership pattern matches'),
  'config/action-in-phase': error('An action that this phase does not allow here'),
  'config/parameter-in-phase': error('A parameter, or a value of it, that this phase does not allow'),
  'config/missing-ratelimit': error('A rate limiting rule without `ratelimit`'),
  'config/rate-limit-period': error('A counting period that does not exist'),
  'config/rate-limit-characteristics': error('Characteristics that a rate limit cannot have'),
  'config/unexpected-ratelimit': error('`ratelimit` where no rate is limited'),
  'config/unexpected-credential-check': error('`exposed_credential_check` where no rule has one'),
  'config/missing-credential-check': error(
    'A custom ruleset rewrites a request without `exposed_credential_check`',
  ),
  'config/unexpected-logging': error('`logging` on a rule that does not skip'),
  'config/undeclared-ruleset': warning('A custom ruleset that the scope does not declare'),
  'config/ruleset-phase': error('A custom ruleset of another phase is executed'),
  'config/enterprise-clause': error('An account rule that is not limited to Enterprise zones'),
  'config/repeated-execute': error('A zone executes a managed ruleset twice'),
  'config/ruleset-absent': error('A custom ruleset that is used is marked `absent`'),
  'config/parameter-twice': error('A parameter is in `action_parameters` and in `extra_parameters`'),
  'config/repeated-entry': error('An entry about something that another entry is about'),
  'config/deprecated-parameter': warning('A parameter that the service is retiring'),
  'config/ignored-list-item': error('An ignored field is named by its place in a list'),
  'config/expired-ignore': warning('An ignored difference whose last day has passed'),
  'config/expired-allow': warning('An entry of `safety.allow` whose last day has passed'),
  'config/protect-unmatched': warning('An entry of `safety.protect` that matches no rule'),
  'config/plan-level': warning('Something that the plan of the zone does not include'),
  'config/plan-limit': warning('More rules than the plan of the zone allows'),
  'config/no-such-day': error('A day that the calendar does not have'),

  'active/ended': warning('A rule whose time is over'),
  'active/ends-soon': note('A rule that ends soon'),
  'active/never': error('A window that ends before it begins'),
  'active/no-end': error('A rule that has to end and does not'),
  'active/no-such-time': error('A time that the clock skips or shows twice'),
  'active/outlasts': warning('An effect that goes on after the rule has ended'),
  'active/time-zone': error('A time zone that does not exist'),
  'active/too-long': error('A window that makes the expression too long'),
  'active/unlimited-phase': error('A window where a rule cannot have one'),

  'config/zone-twice': error('A list of zones has one of them twice'),

  'rollout/account': error('A wave of zones that names an account'),
  'rollout/compares-with-none': warning('A limit that says nothing of the last wave'),
  'rollout/share-order': error('A share of zones that is not larger than the one before'),
  'rollout/unknown-label': error('A label of a wave that no zone carries'),
  'rollout/unknown-zone': error('A wave that names a zone which no file declares'),
  'rollout/zone-of-none': warning('Zones that are in no wave'),
  'rollout/zone-twice': error('A zone that waves name twice'),

  'across/address-conflict': warning('An address that one rule blocks and another lets past'),
  'across/blocked-before': warning('A rule for addresses that an earlier phase blocks'),
  'across/edge-address': warning("A rule for the edge's own addresses"),
  'across/unused-list': note('A list that no rule names'),

  'lint/foreign-host': warning('A rule that waits for hosts of other zones'),
  'lint/unreachable-rule': warning('A rule that no request reaches'),
  'lint/skip-without-effect': warning('A rule that skips nothing'),
  'lint/switched-off': warning('A rule that looks at what a setting switches off'),
  'lint/status-range': warning('An empty range of statuses'),
  'lint/low-rate-limit': warning('A rate limit that an ordinary visit reaches'),
  'lint/uncached': warning('Settings of the edge cache in a rule that caches nothing'),
  'lint/rate-limit-expression': warning('An expression that a rate limit cannot have'),
  'lint/plain-secret': warning('A value that looks like a secret, in clear text'),
  'lint/redirect-target': warning('A redirect whose target is not a URL'),
  'lint/redirect-loop': warning('A redirect to what the same rule redirects again'),
  'lint/compression-order': warning('Compression algorithms that are never used'),
  'lint/log-field-case': warning('A logged header that is not in lower case'),
  'lint/log-rule': warning('Custom log fields in another form than one rule for all'),
  'lint/cut-text': warning('A comment that looks like the rest of the text in front of it'),
  'lint/look-alike': warning('A name or description that is not what it looks like'),
  'lint/missing-ref': note('A rule without `ref`'),

  'severity/unknown-code': error('A severity for a code that does not exist'),
  'severity/fixed': error('A severity for a finding that has to be an error'),
  'suppression/malformed': warning('A comment that suppresses no code or gives no reason'),
  'suppression/unknown-code': warning('A suppression of a code that does not exist'),
  'suppression/of-error': warning('A suppression of an error, which stays'),
  'suppression/unused': warning('A suppression of a finding that is not there'),

  'pack/unknown': error('A pack that does not exist'),
  'pack/scope-file': error('A zone or account file that a pattern of `packs` matches'),
  'pack/duplicate': error('Two packs have one name'),
  'pack/cycle': error('Packs that use each other in a cycle'),
  'pack/too-deep': error('Packs nested deeper than the limit'),
  'pack/too-many-rules': error('Packs that produce more rules than the limit'),
  'pack/wrong-phase': error('A pack in a phase that it is not for'),
  'pack/missing-argument': error('An argument of a pack is missing'),
  'pack/unknown-argument': error('An argument that the pack has no parameter for'),
  'pack/wrong-argument': error('An argument that the parameter does not accept'),
  'pack/wrong-default': error('A default that its parameter does not accept'),
  'pack/unused': warning('A pack that nothing uses'),
  'pack/unused-parameter': warning('A parameter that no rule of its pack has'),

  'variable/undefined': error('A variable that is not declared'),
  'variable/malformed': error('A `${` that begins no variable'),
  'variable/in-key': error('A variable in a key'),
  'variable/unset': error('A variable whose environment variable is not set'),
  'variable/wrong-kind': error('A variable that cannot be used here'),
  'variable/closes-quote': error('A value that would end the literal around it'),
  'variable/wrong-value': error('A value from outside that its variable does not accept'),
  'variable/declared-twice': error('A variable in `vars` and in `env`'),
  'variable/secret': error('A secret that must not be a value in rules'),
  'variable/plain-secret': error('A variable that has a secret as its value, in clear text'),
  'variable/sensitive': error('A sensitive variable that cannot be kept secret'),
  'variable/too-much': error('Variables that produce more text than the limit'),
  'variable/unused': warning('A variable that nothing uses'),

  'list/unknown': error('A list that the account does not have'),
  'list/wrong-kind': error('A list that holds something other than what is looked up in it'),

  'list/item': error('An item that the service would refuse'),
  'list/item-twice': error('An item that stands in a list twice'),
  'list/items-file': error('A file that items of a list cannot be read from'),

  'test/not-a-test-file': error('A named path is not a test file of the project'),
  'test/none-found': error('There are no tests'),

  'yaml/syntax': error('The file is not valid YAML'),
  'yaml/not-utf8': error('The file is not UTF-8 text'),
  'yaml/control-character': error('A control character in the file'),
  'yaml/text-direction': warning('A character that hides the order of a line'),
  'yaml/not-unicode': error('A text that cannot be sent'),
  'yaml/merge-key': error('A merge key, which YAML 1.2 does not have'),
  'yaml/too-large': error('The file is larger than is read'),
  'yaml/too-deep': error('Values are nested deeper than the limit'),
  'yaml/empty-file': error('The file has no content'),
  'yaml/several-documents': error('The file holds more than one document'),
  'yaml/duplicate-key': error('A key appears twice in one mapping'),
  'yaml/key-not-text': error('A key that is not text'),
  'yaml/unknown-alias': error('An alias without its anchor'),
  'yaml/alias-cycle': error('An alias inside its own anchor'),
  'yaml/too-many-aliases': error('Aliases that expand to too much'),
  'yaml/unknown-tag': error('A tag that means nothing here'),
  'yaml/not-a-number': error('A number that JSON cannot represent exactly'),
  'yaml/octal-looking': warning('A number that older YAML reads as octal'),

  'schema/unknown-key': error('A key that does not exist here'),
  'schema/missing-key': error('A key is missing'),
  'schema/no-value': error('A key without a value'),
  'schema/wrong-type': error('A value of the wrong type'),
  'schema/unknown-value': error('A value that is not one of those allowed'),
  'schema/unknown-action': error('An action that does not exist'),
  'schema/missing-action': error('A rule without an action'),
  'schema/wrong-form': error('A text of the wrong form'),
  'schema/out-of-bounds': error('A value that is too small, too large, too short or too long'),
  'schema/one-of': error('Exactly one of several keys is needed'),
  'schema/not-together': error('Keys that cannot be used together'),
  'schema/needs-key': error('A key that needs another one'),
  'schema/missing-item': error('A list lacks an item'),
  'schema/invalid': error('A value that the schema refuses'),
} satisfies Readonly<Record<string, DiagnosticCodeFacts>>;

/** A code of this folder's findings. Findings about expressions have the codes of the rules language. */
export type DiagnosticCode = keyof typeof TABLE;

/** Every code, its default severity and its one-line title. */
export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, DiagnosticCodeFacts>> = TABLE;

/** The content of a finding, besides its code. */
export interface FindingDetails {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly where?: SourceSpan | undefined;
}

/** Returns a diagnostic with the default severity of its code. */
export function finding(code: DiagnosticCode, { message, hint, where }: FindingDetails): Diagnostic {
  return {
    code,
    severity: DIAGNOSTIC_CODES[code].severity,
    message,
    hint,
    where,
  };
}
