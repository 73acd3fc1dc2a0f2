import { describe, expect, test } from 'vitest';

import { loadFiles } from '../project-folder.ts';
import { expectFindings } from '../marked-files.ts';
import type { Case } from '../marked-files.ts';

const PROJECT = 'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\n';

const PHASE = 'http_request_firewall_custom';

/** A zone file with these rules and uses. */
function zone(...items: readonly string[]): string {
  return `zone: shop.example\nentrypoints:\n  ${PHASE}:\n    rules:\n${items.map((item) => `      - ${item}\n`).join('')}`;
}

/** A zone file with one use, and pack files. */
function packs(use: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`packs/${name}.yaml`, text])),
    'rulewright.yaml': PROJECT,
    'zones/a.yaml': zone(use),
  };
}

const RULE = '{ref: a, expression: "true", action: log}';
const BOTS = `pack: bots\nparams:\n  threshold: {type: integer}\nrules:\n  - {ref: a, expression: "cf.waf.score lt \${threshold}", action: log}\n`;

const USES: readonly Case[] = [
  [
    'a pack that does not exist',
    packs('use: ▶bost', { bots: 'pack: bots\nrules: []\n' }),
    [['pack/unknown', 'did you mean `bots`?']],
  ],
  [
    'a pack while there are none',
    { 'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\n', 'zones/a.yaml': zone('use: ▶bots') },
    [['pack/unknown', '`packs` in the project file']],
  ],
  [
    'a pack whose file does not parse, beside one that does not exist',
    packs('use: bots\n      - use: ▶bost', { bots: 'pack: bots # ours\nrules: ▶[\n' }),
    [
      ['yaml/syntax', 'nothing closes this `[`'],
      ['pack/unknown', 'no pack `bost`'],
    ],
  ],
  [
    'a pack whose file does not parse, and whose name is not known',
    packs('use: bots', { bots: '{pack: bots, rules: ▶[\n' }),
    [['yaml/syntax', 'nothing closes this `[`']],
  ],
  [
    'two packs of one name',
    packs('use: bots', { a: 'pack: bots\nrules: []\n', b: 'pack: ▶bots\nrules: []\n' }),
    [['pack/duplicate', 'packs/a.yaml:1:7']],
  ],
  [
    'files of scopes among the packs',
    packs('use: bots', {
      a: '▶zone: a.example\nentrypoints: {}\n',
      b: 'vars: {a: b}\n▶zones: [b.example]\n',
      bots: 'pack: bots\nrules: []\n',
      c: '▶account: c\n',
    }),
    [
      ['pack/scope-file', 'which is about a zone; narrow the pattern'],
      ['pack/scope-file', 'which is about zones'],
      ['pack/scope-file', 'which is about an account'],
    ],
  ],
  [
    'a missing argument',
    packs('use: ▶bots', { bots: BOTS }),
    [['pack/missing-argument', 'packs/bots.yaml:3:3']],
  ],
  [
    'an argument of the wrong type',
    packs('{use: bots, with: {threshold: ▶many}}', { bots: BOTS }),
    [
      [
        'pack/wrong-argument',
        'is "many", but must be a whole number; the parameter is declared at packs/bots.yaml:3:3',
      ],
    ],
  ],
  [
    'an argument without a parameter',
    packs('{use: bots, with: {threshold: 1, ▶treshold: 2}}', { bots: BOTS }),
    [['pack/unknown-argument', 'did you mean `threshold`? (it is at packs/bots.yaml:1:7)']],
  ],
  [
    'a number where a text is expected',
    packs('{use: p, with: {name: ▶20}}', {
      p: 'pack: p\nparams: {name: {type: string}}\nrules: [{expression: "http.host eq ${name}", action: log}]\n',
    }),
    [['pack/wrong-argument', 'put it in quotes: "20"']],
  ],
  [
    'an argument that is not one of those allowed',
    packs('{use: p, with: {mode: ▶off}}', {
      p: 'pack: p\nparams: {mode: {type: string, enum: [log, block]}}\nrules: [{expression: "true", action: "${mode}"}]\n',
    }),
    [['pack/wrong-argument', 'allowed are `log` and `block`']],
  ],
  [
    'an argument that is no expression by itself',
    packs("{use: p, with: {except: ▶'ssl) or (ssl'}}", {
      p: 'pack: p\nparams: {except: {type: expression}}\nrules: [{expression: "not ${except}", action: log}]\n',
    }),
    [['pack/wrong-argument', 'is not a valid expression: unexpected `)`; this parenthesis']],
  ],
  [
    'a default of the wrong type, and a parameter that no rule has',
    packs('use: p', {
      p: 'pack: p\nparams:\n  ▶a: {type: boolean, default: ▶1}\nrules: []\n',
    }),
    [
      ['pack/unused-parameter', 'put `${a}`'],
      ['pack/wrong-default', 'must be true or false'],
    ],
  ],
  [
    'defaults that name variables, which are never put in: text, list, expression, and of the environment',
    {
      'packs/p.yaml':
        'pack: p\nparams:\n  a: {type: string, default: ▶"Bearer ${secret}"}\n  b: {type: list, ▶default: ["x", "$${y"]}\n  c: {type: expression, default: ▶\'http.host eq ${secret}\'}\n  d: {type: string, default: "/${1}"}\nrules:\n  - {expression: "http.host in {${a} ${b}} or ${c} or http.host eq ${d}", action: log}\n',
      'rulewright.yaml':
        'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\nenv: {secret: {from: ORIGIN_KEY, sensitive: true}, ▶stage: {from: STAGE, default: "${secret}"}}\n',
      'zones/a.yaml': variables('', 'http.host eq ${stage}'),
    },
    [
      ['pack/wrong-default', 'contains `${secret}`, but a default is taken as it is written'],
      ['pack/wrong-default', 'contains `$${`'],
      ['pack/wrong-default', 'give the value where the pack is used: `with: { c: … }`'],
      ['variable/wrong-value', 'remove the default and set the environment variable'],
    ],
  ],
  ['a pack without rules', packs('use: p', { p: '▶pack: p\n' }), [['schema/missing-key', '`rules`']]],
  [
    'a use with a wrong key',
    packs('{use: p, ▶wiht: {}}', { p: 'pack: p\nrules: []\n' }),
    [['schema/unknown-key', '`with`']],
  ],
  [
    'a use without arguments',
    packs('{use: p, ▶with: }', { p: 'pack: p\nrules: []\n' }),
    [['schema/no-value', '`with`']],
  ],
  [
    'packs that use each other in a circle',
    packs('use: a', {
      a: 'pack: a\nrules:\n  - use: b\n',
      b: 'pack: b\nrules:\n  - use: ▶a\n',
    }),
    [['pack/cycle', 'a → b → a; a pack cannot contain itself; via packs/a.yaml:3:10; via zones/a.yaml:5:14']],
  ],
  [
    'packs nested too deep',
    packs(
      'use: p0',
      Object.fromEntries(
        Array.from({ length: 9 }, (_, level) => [
          `p${level}`,
          `pack: p${level}\nrules:\n  - ${level === 8 ? RULE : `use: ${level === 7 ? '▶' : ''}p${level + 1}`}\n`,
        ]),
      ),
    ),
    [['pack/too-deep', 'deeper than 8 levels']],
  ],
  [
    'a pack in a phase that it is not for',
    packs('use: ▶p', { p: `pack: p\nphases: [http_ratelimit]\nrules: [${RULE}]\n` }),
    [['pack/wrong-phase', 'its `phases` at packs/p.yaml:2:1 are `http_ratelimit`']],
  ],
  [
    'a pack whose rules have actions of another phase',
    packs('use: p', {
      p: 'pack: p\nrules:\n  - expression: "true"\n    action: ▶set_config\n    action_parameters: {ssl: full}\n',
    }),
    [['config/action-in-phase', 'via zones/a.yaml:5:14']],
  ],
  [
    'a pack twice in one ruleset',
    {
      'packs/p.yaml': `pack: p\nrules:\n  - ref: ▶a\n    expression: "true"\n    action: log\n`,
      'rulewright.yaml': PROJECT,
      'zones/a.yaml': zone('use: p', 'use: p'),
    },
    [['config/duplicate-ref', 'packs/p.yaml:3:10 via zones/a.yaml:5:14']],
  ],
  [
    'a wrong key in a pack, found once',
    {
      'packs/p.yaml': `pack: p\nrules:\n  - ▶acton: log\n    expression: "true"\n    action: log\n`,
      'rulewright.yaml': PROJECT,
      'zones/a.yaml': zone('use: p', 'use: p'),
    },
    [['schema/unknown-key', '1 more use of the pack has it; via zones/a.yaml:5:14']],
  ],
  [
    'an expression of a pack that is wrong with its argument',
    packs('{use: p, with: {name: x}}', {
      p: 'pack: p\nparams: {name: {type: string}}\nrules:\n  - expression: \'http.host eq "a" and ip.src eq ▶${name}\'\n    action: log\n',
    }),
    [['expression/syntax', 'via zones/a.yaml:5:15']],
  ],
];

/** A zone file with variables and one rule with the given expression. */
function variables(vars: string, expression: string, more = ''): string {
  return `zone: shop.example\n${vars}entrypoints:\n  ${PHASE}:\n    rules:\n      - expression: ${expression}\n        action: log\n${more}`;
}

const VARIABLES: readonly Case[] = [
  [
    'a variable without quotes in braces',
    zone('{expression: http.host in $▶{hosts}, action: log}'),
    [['yaml/syntax', 'a variable needs quotes: "${name}"']],
  ],
  [
    'a variable that is not declared',
    variables('vars: {office: [192.0.2.1]}\n', 'ip.src in ${office} or ip.src in ▶${ofice}'),
    [['variable/undefined', 'did you mean `office`?']],
  ],
  [
    'a variable that is not declared, in a folded text',
    variables('', '>-\n          ssl and\n          http.host eq ▶${host}'),
    [['variable/undefined', 'declare it under `vars`']],
  ],
  ['what is no variable', variables('', 'http.host eq "▶${a.b}"'), [['variable/malformed', 'write `$${`']]],
  [
    'a variable that does not end',
    variables('', 'http.host eq "▶${a', '        description: b\n'),
    [['variable/malformed', 'letters, digits']],
  ],
  [
    'a variable in a key',
    variables('vars: {name: X-A}\n', '"true"', '        action_parameters:\n          ▶▶"${name}": 1\n'),
    [
      ['schema/unknown-key', 'name'],
      ['variable/in-key', '`name` is in a key'],
    ],
  ],
  [
    'a list where a text must stand',
    variables('vars: {hosts: [a.example]}\n', `'http.host eq "x-▶\${hosts}"'`),
    [['variable/wrong-kind', 'is a list, and a string is expected here']],
  ],
  [
    'a list where a number must stand',
    variables('vars: {office: [192.0.2.0/24]}\n', "'cf.waf.score lt ▶${office}'"),
    [
      [
        'variable/wrong-kind',
        '`office` is a list, and one value is expected here; compare with `in ${office}`',
      ],
    ],
  ],
  [
    'a list by itself',
    variables('vars: {office: [192.0.2.0/24]}\n', "'not ▶${office}'"),
    [['variable/wrong-kind', 'is a list']],
  ],
  [
    'a text where a list must stand',
    variables('vars: {office: 192.0.2.1}\n', "'ip.src in ▶${office}'"),
    [
      [
        'variable/wrong-kind',
        'a list is expected after `in`; compare with `eq ${office}`, or write `in {${office}}`',
      ],
    ],
  ],
  [
    'a text where a number is compared',
    variables('vars: {most: "20"}\n', "'cf.waf.score lt ▶${most}'"),
    [
      [
        'variable/wrong-kind',
        '`most` is a string, and only numbers are compared here; write its value without quotes',
      ],
    ],
  ],
  [
    'numbers where texts are compared, also as the items of a set and of an array',
    variables(
      'vars: {n: 5, list: [a, 7]}\n',
      '\'http.host contains ▶${n} or http.host in {"b" ▶${list}} or any(http.request.headers["a"][*] eq ▶${n})\'',
    ),
    [
      ['variable/wrong-kind', '`n` is a number, and only strings are compared here; put its value in quotes'],
      ['variable/wrong-kind', '`list` is a list with numbers, and only strings'],
      ['variable/wrong-kind', '`n` is a number'],
    ],
  ],
  [
    'a list in a text outside of expressions',
    variables('vars: {hosts: [a.example]}\n', '"true"', '        description: For ▶${hosts}\n'),
    [['variable/wrong-kind', 'declared at zones/a.yaml:2:8']],
  ],
  [
    'a list as a whole description',
    variables('vars: {hosts: [a.example]}\n', '"true"', '        description: ▶${hosts}\n'),
    [['schema/wrong-type', 'string']],
  ],
  [
    'a value that would close a raw literal',
    variables(`vars: {a: 'x" or ssl or http.host eq "'}\n`, `http.host matches r"^▶\${a}$"`),
    [['variable/closes-quote', 'write the variable without quotes']],
  ],
  [
    'a value that would close a raw literal with marks',
    variables(`vars: {a: 'x"# or ssl'}\n`, `http.host matches r#"^▶\${a}$"#`),
    [['variable/closes-quote', 'declared at zones/a.yaml:2:8']],
  ],
  [
    'a value that would close a quoted regular expression',
    variables(`vars: {a: 'x" or ssl'}\n`, `http.host matches "^▶\${a}$"`),
    [['variable/closes-quote', 'would end the literal']],
  ],
  [
    'a variable that a backslash would take for an escape',
    variables(`vars: {a: '" or ssl'}\n`, String.raw`'http.host eq "\▶${'${a}'}"'`),
    [['variable/closes-quote', 'for a backslash']],
  ],
  [
    'half a character',
    variables(`vars: {a: ▶"\\uD800"}\n`, 'http.host eq ${a}'),
    [['yaml/not-unicode', 'half of a character']],
  ],
  [
    'a value of the wrong type in a variable',
    variables('vars: {▶a: {b: c}}\n', 'http.host eq ${a}'),
    [['schema/wrong-type', '`a`']],
  ],
  [
    'an environment variable that is not set',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nenv: {stage: STAGE}\n',
      'zones/a.yaml': variables('', 'http.host eq ▶${stage}'),
    },
    [['variable/unset', 'declared at rulewright.yaml:3:7']],
  ],
  [
    'an environment variable with a wrong value',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nenv: {▶stage: {from: TEXT, type: integer}}\n',
      'zones/a.yaml': variables('', 'cf.waf.score lt ${stage}'),
    },
    [['variable/wrong-value', 'TEXT is not a whole number']],
  ],
  [
    'a name in vars and in env',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nvars: {a: b}\nenv: {▶a: TEXT}\n',
      'zones/a.yaml': variables('', 'http.host eq ${a}'),
    },
    [['variable/declared-twice', 'keep one of them']],
  ],
  [
    'a sensitive list',
    {
      'rulewright.yaml':
        'version: 1\nfiles: [zones/*.yaml]\nenv: {▶a: {from: TEXT, type: list, sensitive: true}}\n',
      'zones/a.yaml': variables('', 'http.host in ${a}'),
    },
    [['variable/sensitive', 'a string without a default']],
  ],
  [
    'a sensitive value that responses would show: a header, a redirect, the page of a block',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nenv: {a: {from: ORIGIN_KEY, sensitive: true}}\n',
      'zones/a.yaml': `zone: shop.example
entrypoints:
  http_response_headers_transform:
    rules:
      - ref: header
        expression: 'true'
        action: rewrite
        action_parameters: { headers: { X-Key: { operation: set, value: ▶'key \${a}' } } }
  http_request_dynamic_redirect:
    rules:
      - ref: redirect
        expression: 'true'
        action: redirect
        action_parameters: { from_value: { status_code: 301, target_url: { value: ▶'https://a.example/\${a}' } } }
  http_request_firewall_custom:
    rules:
      - ref: page
        expression: http.request.headers["x-key"][0] eq "\${a}"
        action: block
        action_parameters: { response: { status_code: 403, content_type: text/plain, content: ▶'\${a}' } }
      - ref: unchecked
        expression: http.host eq "a"
        action: block
        extra_parameters: { response: { status_code: 403, content_type: text/plain, content: ▶'\${a}' } }
  http_request_late_transform:
    rules:
      - ref: origin
        expression: 'true'
        action: rewrite
        action_parameters: { headers: { X-Key: { operation: set, value: '\${a}' } } }
`,
    },
    [
      ['variable/sensitive', 'requests to the origin'],
      ['variable/sensitive', 'tell every visitor'],
      ['variable/sensitive', 'tell every visitor'],
      ['variable/sensitive', 'tell every visitor'],
    ],
  ],
  [
    'the token of the run as a value',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nenv: {▶a: Cloudflare_Api_Token}\n',
      'zones/a.yaml': variables('', 'http.host eq ${a}'),
    },
    [['variable/secret', 'a credential of the run, which no rule may contain']],
  ],
  [
    'a credential of the run that is called sensitive',
    {
      'rulewright.yaml':
        'version: 1\nfiles: [zones/*.yaml]\nenv: {▶a: {from: RULEWRIGHT_PLAN_KEY, sensitive: true}}\n',
      'zones/a.yaml': variables('', 'http.host eq ${a}'),
    },
    [['variable/secret', 'RULEWRIGHT_PLAN_KEY holds a credential of the run']],
  ],
  [
    'a token of the service by another name, called sensitive',
    {
      'rulewright.yaml':
        'version: 1\nfiles: [zones/*.yaml]\nenv: {▶a: {from: CLOUDFLARE_WRITE_TOKEN, sensitive: true}, zone: {from: CLOUDFLARE_ZONE, default: a.example}}\n',
      'zones/a.yaml': variables('', 'http.host in {${a} ${zone}}'),
    },
    [['variable/secret', 'CLOUDFLARE_WRITE_TOKEN holds a credential of the run']],
  ],
  [
    'the proxy of the run, whose URL may hold a password',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nenv: {▶a: https_proxy, ▶b: ALL_PROXY}\n',
      'zones/a.yaml': variables('', 'http.host in {${a} ${b}}'),
    },
    [
      ['variable/secret', 'a credential of the run, which no rule may contain'],
      ['variable/secret', 'a credential of the run, which no rule may contain'],
    ],
  ],
  [
    'a secret that plans would show',
    {
      'rulewright.yaml':
        'version: 1\nfiles: [zones/*.yaml]\nenv: {▶a: {from: ORIGIN_PASSWORD, default: x}, stage: {from: MONKEY_HOST, default: b.example}}\n',
      'zones/a.yaml': variables('', 'http.host in {${a} ${stage}}'),
    },
    [['variable/secret', '`{ from: ORIGIN_PASSWORD, sensitive: true }`']],
  ],
  [
    'a sensitive variable under a second name that would show it',
    {
      'rulewright.yaml':
        'version: 1\nfiles: [zones/*.yaml]\nenv: {a: {from: ORIGIN, file: origin}, ▶b: ORIGIN, ▶c: {from: ORIGIN, default: x}, d: {from: ORIGIN, sensitive: true}}\n',
      'zones/a.yaml': variables('', 'http.host in {${b} ${c}}'),
    },
    [
      ['variable/secret', 'ORIGIN is sensitive as `a`'],
      ['variable/secret', 'ORIGIN is sensitive as `a`'],
    ],
  ],
  [
    'secrets in the files, by the name of their variable',
    {
      'packs/p.yaml':
        'pack: p\nparams: {passwords: {type: list, default: [short, ▶correct-horse]}}\nrules:\n  - {ref: a, expression: "http.host in {${passwords}}", action: log}\n',
      'rulewright.yaml':
        'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\nvars: {origin_password: ▶hunter2hunter2, secret_header: X-Origin-Auth, token_host: login.example}\nenv: {▶jwt: {from: B}, api_token: {from: A, default: ▶abcdefgh}}\n',
      'zones/a.yaml': `zones: [{name: a.example, vars: {token: ▶"a b c d e"}}]\nvars: {db_pass: ▶'"quoted"'}\nentrypoints: {}\n`,
    },
    [
      ['variable/plain-secret', '`passwords` looks like a secret, by its name'],
      ['variable/plain-secret', '`origin_password`'],
      ['variable/secret', '`jwt` is named like a secret'],
      ['variable/plain-secret', '`api_token`'],
      ['variable/plain-secret', '`token`'],
      ['variable/plain-secret', '`db_pass`'],
    ],
  ],
  [
    'secrets in the files, by their own form',
    {
      'packs/p.yaml':
        'pack: p\nparams: {word: {type: string, enum: [x]}}\nrules:\n  - {ref: a, expression: "http.host eq ${word}", action: log}\n',
      'rulewright.yaml':
        PROJECT + 'vars: {a: ▶ghp_abcdefghijklmnopqrstuvwxyz, b: [1, ▶"Bearer abcdefgh1"]}\n',
      'zones/a.yaml': zone('{use: p, with: {word: ▶"https://user:abcdefgh@a.example"}}'),
    },
    [
      ['variable/plain-secret', '`a` looks like a GitHub token'],
      ['variable/plain-secret', '`b` looks like credentials of a request'],
      ['variable/plain-secret', '`word` looks like a URL with a password'],
    ],
  ],
  [
    'a credential of the forge as token of a zone',
    'zone: a.example\ntoken_env: ▶GITHUB_TOKEN\nentrypoints: {}\n',
    [['variable/secret', 'must not be sent to it']],
  ],
  [
    'a zone twice in a list',
    'zones: [a.example, ▶a.example]\nentrypoints: {}\n',
    [['config/zone-twice', 'zones/a.yaml:1:9']],
  ],
  [
    'a phase of a zone in two files, one of them a list',
    {
      'zones/a.yaml': `zones: [a.example, b.example]\nentrypoints:\n  ${PHASE}: {rules: []}\n`,
      'zones/b.yaml': `zone: b.example\nentrypoints:\n  ▶${PHASE}: {rules: []}\n`,
    },
    [['config/duplicate-entrypoint', 'zones/a.yaml:3:3']],
  ],
  ['zone and zones', 'zone: a\n▶zones: [b]\n', [['schema/one-of', 'keep one']]],
  ['a zone of a list without a name', 'zones: [{▶vars: {a: b}}]\n', [['schema/missing-key', '`name`']]],
];

const WARNINGS: readonly Case[] = [
  [
    'variables that nothing uses',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nvars: {▶a: 1}\nenv: {▶b: B}\n',
      'zones/a.yaml': 'zones: [{name: a.example, vars: {▶c: 3}}]\nentrypoints: {}\n',
    },
    [
      ['variable/unused', '`a`'],
      ['variable/unused', '`b`'],
      ['variable/unused', '`c`'],
    ],
  ],
  [
    'a variable whose name is that of a used one but for a slip',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nvars: {adminpath: /admin}\n',
      'zones/a.yaml':
        'zones: [{name: a.example, vars: {▶adminpth: /b}}]\nentrypoints:\n' +
        `  ${PHASE}: {rules: [{ref: a, expression: 'http.request.uri.path eq \${adminpath}', action: log}]}\n`,
    },
    [['variable/unused', 'did you mean `adminpath`?']],
  ],
  [
    'a pack that nothing uses',
    { 'packs/p.yaml': 'pack: ▶p\nrules: []\n', 'rulewright.yaml': PROJECT, 'zones/a.yaml': 'zone: a\n' },
    [['pack/unused', '`- use: p`']],
  ],
];

const BARE = 'version: 1\nfiles: [zones/*.yaml]\n';
const OFFICE = `${PROJECT}vars:\n  office:\n    - 192.0.2.0/24\n    - 10.0.0.1/8\n`;
const NETS = 'pack: nets\nparams: {net: {type: list, default: [10.0.0.1/8]}}\nrules:\n';

/** Findings whose hint names the place of the value, where it has to be fixed. */
const VALUES: readonly Case[] = [
  [
    'an item of a list of the project, in a pack',
    {
      ...packs('use: nets', {
        nets: `pack: nets\nrules:\n  - {ref: a, expression: "ip.src in ▶\${office}", action: log}\n`,
      }),
      'rulewright.yaml': OFFICE,
    },
    [
      [
        'expression/syntax',
        'the network is 10.0.0.0/8, the address alone 10.0.0.1 (the value of `office` is at rulewright.yaml:7:7)',
      ],
    ],
  ],
  [
    'the same as the argument of a pack, in a set with others',
    {
      ...packs('{use: nets, with: {net: "${office}"}}', {
        nets: `${NETS}  - {ref: a, expression: "ip.src in {192.0.2.7 ▶\${net}}", action: log}\n`,
      }),
      'rulewright.yaml': OFFICE,
    },
    [['expression/syntax', 'the value of `net` is at rulewright.yaml:7:7']],
  ],
  [
    'an item of a list that is no address, with more of the condition behind it',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nvars:\n  office: [192.0.2.1, the office]\n',
      'zones/a.yaml': variables('', 'ip.src in ▶${office} and ssl'),
    },
    [['expression/syntax', 'the value of `office` is at rulewright.yaml:4:23']],
  ],
  [
    'an argument, and the default of a parameter',
    packs('{use: nets, with: {net: [192.0.2.7, 172.16.0.1/12]}}\n      - {use: nets, prefix: b-}', {
      nets: `${NETS}  - {ref: a, expression: "ip.src in ▶▶\${net}", action: log}\n`,
    }),
    [
      ['expression/syntax', 'the value of `net` is at zones/a.yaml:5:45'],
      ['expression/syntax', 'the value of `net` is at packs/nets.yaml:2:38'],
    ],
  ],
  [
    'a value that is no list',
    {
      'rulewright.yaml': `${BARE}vars: {here: 10.0.0.0/8}\n`,
      'zones/a.yaml': zone('{ref: a, expression: "ssl and ip.src eq ▶${here}", action: log}'),
    },
    [['expression/network-comparison', 'the value of `here` is at rulewright.yaml:3:14']],
  ],
  [
    'a value of the environment',
    {
      'rulewright.yaml': `${BARE}env: {here: {from: HERE, default: 10.0.0.0/8}}\n`,
      'zones/a.yaml': zone('{ref: a, expression: "ssl and ip.src eq ▶${here}", action: log}'),
    },
    [['expression/network-comparison', '`here` is declared at rulewright.yaml:3:7']],
  ],
];

describe('a wrong value of a variable in an expression', () => {
  test.each(VALUES)('%s', async (_, input, expected) => {
    const result = await expectFindings(input, expected);
    expect(result.kind).toBe('invalid');
  });
});

describe('bad uses of packs', () => {
  test.each(USES)('%s', async (_, input, expected) => {
    const result = await expectFindings(input, expected);
    expect(result.kind).toBe('invalid');
  });
});

describe('bad variables and lists of zones', () => {
  test.each(VARIABLES)('%s', async (_, input, expected) => {
    const result = await expectFindings(input, expected, { environment: { TEXT: 'some text' } });
    expect(result.kind).toBe('invalid');
  });
});

describe('unused variables and packs', () => {
  test.each(WARNINGS)('%s', async (_, input, expected) => {
    const result = await expectFindings(input, expected, { environment: { B: '' } });
    expect(result.kind).toBe('loaded');
  });
});

describe('the limits on what small files unfold to', () => {
  test.each([
    ['rules', '  - {expression: "true", action: log}\n', []],
    ['nothing', '', []],
    ['packs that do not exist', '  - use: nowhere\n', ['pack/unknown']],
  ])('stop packs that multiply to %s', async (_, innermost, others) => {
    const files = Object.fromEntries(
      Array.from({ length: 6 }, (__, level) => {
        const rules = (level === 5 ? innermost : `  - use: p${level + 1}\n`).repeat(10);
        return [`packs/p${level}.yaml`, `pack: p${level}\nrules:${rules === '' ? ' []' : `\n${rules}`}\n`];
      }),
    );
    const { diagnostics } = await loadFiles(
      { ...files, 'rulewright.yaml': PROJECT, 'zones/a.yaml': zone('use: p0') },
      { checkExpression: () => [] },
    );
    const tooMany = diagnostics.filter(({ code }) => code === 'pack/too-many-rules');
    expect(tooMany.map(({ message }) => message)).toEqual([
      'packs produce more than 20000 rules in a ruleset',
    ]);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['pack/too-many-rules', ...others]));
  });

  test('stop long variables in many rules', async () => {
    const long = `vars: {a: ${'x'.repeat(1024 * 1024)}}\n`;
    const rules = Array.from({ length: 300 }, () => '{expression: "true", action: log, description: "${a}"}');
    const { diagnostics } = await loadFiles(
      { 'rulewright.yaml': `version: 1\nfiles: [zones/*.yaml]\n${long}`, 'zones/a.yaml': zone(...rules) },
      { checkExpression: () => [] },
    );
    expect(diagnostics.map(({ code, where }) => [code, where?.file])).toEqual([
      ['variable/too-much', 'rulewright.yaml'],
    ]);
  });
});
