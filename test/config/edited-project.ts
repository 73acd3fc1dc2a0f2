import fc from 'fast-check';

export const PHASE = 'http_request_firewall_custom';
/** A zone file. */
export const zone = (name: string, rules: string, vars = '{}'): string =>
  `zone: ${name}.example\nvars: ${vars}\nentrypoints:\n  ${PHASE}:\n    rules:\n${rules}`;
/** A use of a pack. */
export const use = (pack: string): string => `      - { use: ${pack}, with: { path: /a } }\n`;
/** A rule of a zone's own, with a variable. */
export const own = "      - { ref: own, expression: 'http.host eq ${host}', action: log }\n";
/** A pack of one rule. */
export const pack = (name: string, field = 'http.request.uri.path'): string =>
  `pack: ${name}\nparams: { path: { type: string } }\nrules:\n  - { ref: ${name}, expression: '${field} eq \${path}', action: block }\n`;

/** A project in which packs, variables and scopes are shared. */
export const START: Readonly<Record<string, string>> = {
  'rulewright.yaml':
    'version: 1\nfiles: [zones/*.yaml]\npacks: [packs/*.yaml]\nvars: { host: a.example, spare: b.example }\n',
  'packs/one.yaml': pack('one'),
  'packs/two.yaml': pack('two'),
  'zones/a.yaml': zone('a', use('one') + own),
  'zones/b.yaml': zone('b', use('two') + own),
  'zones/c.yaml': zone('c', own, '{ host: c.example }'),
};

export const REDIRECT = 'http_request_dynamic_redirect';
/** A rule that is right in one phase only. */
export const redirect =
  "{ ref: moved, expression: 'true', action: redirect, action_parameters: { from_value: { status_code: 301, target_url: { value: 'https://a.example/' } } } }";
/** A pack with a parameter that may be left out. */
export const packOf = (name: string, lines: string): string =>
  `pack: ${name}\nparams: { path: { type: string, default: /a } }\nrules:\n${lines}`;

// What is found in such a rule depends on its phase, its scope, its window, or on the rules beside it.
const RULES = [
  own,
  '      - { use: one, prefix: first- }\n',
  '      - { use: one, active: { until: 2999-01-01 } }\n',
  '      - { use: two }\n',
  '      - { ref: host, expression: \'http.host eq "x.a.example"\', action: block }\n',
  "      - { ref: all, expression: 'true', action: block }\n",
  '      - { ref: typed, expression: \'http.hos eq "a"\', action: block }\n',
  `      - ${redirect}\n`,
];
const PACK_RULES = [
  `  - ${redirect}\n`,
  '  - { ref: plain, expression: \'http.host eq "x.b.example"\', action: block }\n',
  "  - { ref: filled, expression: 'http.request.uri.path eq ${path}', action: log }\n",
  "  - { ref: bad, expression: 'http.request.uri.path eq', action: block }\n",
];
const some = (lines: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...lines), { minLength: 1, maxLength: 3 }).map((chosen) => chosen.join(''));
/** A new text of one of the files of `START`. */
export const anyEdit = fc.oneof(
  fc
    .record({
      file: fc.constantFrom('a', 'b', 'c'),
      name: fc.constantFrom('a', 'b'),
      rules: some(RULES),
      phase: fc.constantFrom(PHASE, REDIRECT),
    })
    .map(({ file, name, rules, phase }) => ({
      path: `zones/${file}.yaml`,
      text: zone(name, rules).replace(PHASE, phase),
    })),
  fc
    .record({ name: fc.constantFrom('one', 'two'), rules: some(PACK_RULES) })
    .map(({ name, rules }) => ({ path: `packs/${name}.yaml`, text: packOf(name, rules) })),
);
