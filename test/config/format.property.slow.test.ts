import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createComposer } from '../../src/config/compose/composer.ts';
import { canonicalExpression } from '../../src/config/format/canonical-expression.ts';
import { formatText } from '../../src/config/format/format-text.ts';
import { desiredScope, groupByScope } from '../../src/config/project/desired-scope.ts';
import { readProjectFile } from '../../src/config/project/project-file.ts';
import type { ReadSource } from '../../src/config/project/read-source.ts';
import type { Settings } from '../../src/config/project/project-settings.ts';
import { checkEachRule } from '../../src/config/checks/check-rules.ts';
import { readFile } from '../../src/config/read-file.ts';
import { sourceText } from '../../src/config/source/source-text.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { isJsonArray, isJsonObject } from '../../src/data/json.ts';
import type { JsonValue } from '../../src/data/json.ts';
import type { DesiredRuleset } from '../../src/model/ruleset.ts';
import { propertyRuns } from '../property-runs.ts';

// Random projects with packs, variables and labels, written in many styles. `fmt` may change the style, and nothing else.

type Texts = Readonly<Record<string, string>>;
type Tree = string | number | boolean | readonly Tree[] | { readonly [key: string]: Tree };

/** Chooses by the given random numbers, and starts again with the first when all are used. */
class Dice {
  #notes = 0;
  #at = 0;
  readonly #numbers: readonly number[];
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }
  below(limit: number): number {
    this.#at += 1;
    return (this.#numbers[this.#at % this.#numbers.length] ?? 0) % limit;
  }
  one<Item>(...items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }
  /** True once in `times` draws. */
  rarely(times: number): boolean {
    return this.below(times) === times - 1;
  }
  many<Item>(most: number, make: (index: number) => Item): readonly Item[] {
    return Array.from({ length: this.below(most + 1) }, (_, index) => make(index));
  }
  shuffled<Item>(items: readonly Item[]): readonly Item[] {
    return items
      .map((item) => ({ item, at: this.below(8) }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
  /** A unique comment, which names the key that it stands above, if any. */
  note(key = ''): string {
    this.#notes += 1;
    return `# note ${this.#notes}: "it's {so}"${key === '' ? '' : ` of ${key}`}`;
  }
}

/** An expression with the variables that exist in its place. */
function condition(dice: Dice, variables: { readonly text: string; readonly list: string }): string {
  const clauses = [
    'ssl',
    '( http.host == "a" )',
    'not (ssl)',
    'ip.src in { 192.0.2.1   10.0.0.0/8 }',
    `http.host eq \${${variables.text}}`,
    `http.request.uri.path contains "/$\${x}/\${${variables.text}}"`,
    `ip.src in \${${variables.list}}`,
    `ip.src in {192.0.2.7 \${${variables.list}}}`,
    'http.user_agent contains "it\'s # \\"so\\": a long text that makes the whole of it rather long"',
    'http.request.uri.path matches r#"^/"a"$"#',
  ] as const;
  const joint = dice.one(' and ', ' or ', ' && ', '\n  and ');
  return [dice.one(...clauses), ...dice.many(1, () => dice.one(...clauses))].join(joint);
}

function rule(dice: Dice, ref: string, variables: { readonly text: string; readonly list: string }): Tree {
  return {
    ref,
    action: dice.one('block', 'log', 'managed_challenge'),
    expression: condition(dice, variables),
    ...(dice.rarely(2)
      ? { description: dice.one('plain', `for \${${variables.text}} only`, ' # "odd": ', '5', '') }
      : {}),
    ...(dice.rarely(3) ? { enabled: dice.one(true, false) } : {}),
  };
}

const OF_ZONES = { text: 'host', list: 'office' };
const OF_PACKS = { text: 'name', list: 'nets' };

function items(dice: Dice, prefix: string, packs: number): readonly Tree[] {
  const uses = dice.many(packs, (index): Tree => {
    const given = {
      ...(dice.rarely(2) ? { name: dice.one('${host}', 'shop: "#1"') } : {}),
      nets: dice.one<Tree>('${office}', ['192.0.2.9']),
    };
    return { use: `p${index}`, with: given, prefix: `${prefix}-${index}-` };
  });
  return dice.shuffled([...uses, ...dice.many(1, (index) => rule(dice, `${prefix}-r${index}`, OF_ZONES))]);
}

const PHASE = 'http_request_firewall_custom';

function project(dice: Dice): Texts {
  const packs = dice.rarely(4) ? 2 : 1;
  const files: Record<string, Tree> = {
    'rulewright.yaml': {
      version: 1,
      files: ['zones/*.yaml'],
      packs: ['packs/*.yaml'],
      vars: {
        host: dice.one('a.example', 'it\'s "a": #1', '012'),
        office: ['192.0.2.0/24', '2001:db8::/32'],
        stage: 'live',
      },
    },
    'zones/a.yaml': dice.one(oneZone, severalZones)(dice, packs),
  };
  for (let index = 0; index < packs; index += 1) {
    files[`packs/p${index}.yaml`] = {
      pack: `p${index}`,
      params: { name: { type: 'string', default: dice.one('x', 'y z') }, nets: { type: 'list' } },
      rules: [
        rule(dice, `p${index}`, OF_PACKS),
        { ref: `all-${index}`, action: 'log', expression: 'http.host in {${name}} or (ip.src in ${nets})' },
        ...(index > 0 ? [{ use: 'p0', prefix: 'in-', with: { nets: '${nets}', name: '${name}' } }] : []),
      ],
    };
  }
  return Object.fromEntries(Object.entries(files).map(([path, tree]) => [path, written(tree, dice)]));
}

function oneZone(dice: Dice, packs: number): Tree {
  const ratelimit = {
    characteristics: ['cf.colo.id', 'ip.src'],
    period: 60,
    requests_per_period: 5,
    counting_expression: '( ssl )',
  };
  const limit = { ref: 'limit', action: 'block', expression: '(ssl)', ratelimit };
  return {
    zone: 'a.example',
    ...(dice.rarely(2) ? { labels: { team: dice.one('shops', '7', 'on') } } : {}),
    entrypoints: {
      ...(dice.rarely(3) ? { http_ratelimit: { rules: [limit] } } : {}),
      [PHASE]: { rules: items(dice, 'e', packs), ...(dice.rarely(2) ? { description: 'of ${host}' } : {}) },
    },
    rulesets: dice.many(1, () => ({ rules: items(dice, 'c', 0), phase: PHASE, name: 'Mine: ${host}' })),
  };
}

function severalZones(dice: Dice, packs: number): Tree {
  return {
    vars: { host: dice.one('m.example', '${stage}.example') },
    zones: ['b.example', { name: 'c.example', vars: { stage: 'test' }, labels: { tier: 'small' } }],
    entrypoints: { [PHASE]: { rules: items(dice, 'm', packs) } },
  };
}

const STYLES = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE'] as const;

/** A value below a key as YAML, in a random style. */
function below(tree: Tree, pad: string, dice: Dice): string {
  if (typeof tree !== 'object') {
    const text = stringify(
      { k: tree },
      { defaultStringType: dice.one(...STYLES), defaultKeyType: 'PLAIN', lineWidth: dice.one(0, 40) },
    );
    const lines = text.slice(2).trimEnd().replaceAll('\n', `\n${pad}`);
    return `${lines}${lines.includes('\n') || !dice.rarely(4) ? '' : ` ${dice.note()}`}\n`;
  }
  const isEmpty = Object.keys(tree).length === 0;
  if (isEmpty || dice.rarely(4)) {
    return ` ${flow(tree, pad, dice)}\n`;
  }
  const tail = dice.rarely(6) ? ` ${dice.note()}` : '';
  const inner = `${pad}${dice.one('  ', '    ')}`;
  const end = dice.rarely(6) ? `${inner}${dice.note()}\n` : '';
  return `${tail}\n${isList(tree) ? listed(tree, inner, dice) : mapped(tree, inner, dice)}${end}`;
}

function flow(tree: Tree, pad: string, dice: Dice): string {
  if (typeof tree !== 'object') {
    return JSON.stringify(tree);
  }
  const comma = dice.rarely(5) ? `, ${dice.note()}\n${pad}    ` : ', ';
  return isList(tree)
    ? `[${tree.map((item) => flow(item, pad, dice)).join(comma)}]`
    : `{ ${dice
        .shuffled(Object.entries(tree))
        .map(([key, value]) => `${key}: ${flow(value, pad, dice)}`)
        .join(comma)} }`;
}

function mapped(tree: { readonly [key: string]: Tree }, pad: string, dice: Dice): string {
  return dice
    .shuffled(Object.entries(tree))
    .map(([key, value]) => `${above(pad, dice, key)}${pad}${key}:${below(value, pad, dice)}`)
    .join('');
}

function listed(items: readonly Tree[], pad: string, dice: Dice): string {
  return items
    .map((item) => {
      const head = above(pad, dice);
      if (typeof item !== 'object' || isList(item) || dice.rarely(4)) {
        return `${head}${pad}-${typeof item === 'object' ? ` ${flow(item, pad, dice)}\n` : below(item, pad, dice)}`;
      }
      // The first key follows the dash, so the comments above the key go above the dash.
      const [, notes = '', rest = ''] =
        /^((?: *#.*\n|\n)*)([^]*)$/u.exec(mapped(item, `${pad}  `, dice)) ?? [];
      return `${head}${notes.replaceAll(/ of \w+$/gmu, '')}${pad}- ${rest.trimStart()}`;
    })
    .join('');
}

function above(pad: string, dice: Dice, key?: string): string {
  return dice.rarely(6) ? `${dice.one('', '\n')}${pad}${dice.note(key)}\n` : '';
}

function isList(tree: Tree): tree is readonly Tree[] {
  return Array.isArray(tree);
}

function written(tree: Tree, dice: Dice): string {
  return typeof tree === 'object' && !isList(tree) ? mapped(tree, '', dice) : '';
}

interface Desired {
  readonly errors: readonly Diagnostic[];
  readonly settings: Settings;
  readonly scopes: JsonValue;
}

/** The desired state of the files by scope, without places and with canonical expressions, and the errors of the files. */
function desired(texts: Texts): Desired {
  const read = (folder: string): readonly ReadSource[] =>
    Object.entries(texts).flatMap(([path, text]) =>
      path.startsWith(folder) ? [{ kind: 'read', source: sourceText(path, text) } as const] : [],
    );
  const head = readProjectFile({
    kind: 'read',
    source: sourceText('rulewright.yaml', texts['rulewright.yaml'] ?? ''),
  });
  const { settings } = head;
  const composer = createComposer(read('packs/'), { head, environment: {}, given: new Map() });
  const means = {
    composer,
    settings,
    listUses: () => [],
    checkExpression: () => [],
    checkRules: checkEachRule,
    comments: [],
    keep: (same: DesiredRuleset) => same,
  };
  const files = read('zones/').map((source) => readFile(source, means));
  const errors = [
    ...head.diagnostics,
    ...composer.diagnostics,
    ...files.flatMap(({ diagnostics, checks }) => [...diagnostics, ...checks]),
  ].filter(({ severity }) => severity === 'error');
  const groups = groupByScope(files.flatMap(({ declarations }) => declarations));
  const scopes = groups.map((group) => desiredScope(group, settings));
  const plain: JsonValue = JSON.parse(JSON.stringify(scopes));
  return { errors, settings, scopes: withoutPlaces(plain) };
}

function withoutPlaces(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return value.map(withoutPlaces);
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, member]) =>
          /cause/iu.test(key)
            ? []
            : [
                [
                  key,
                  /expression/u.test(key) && typeof member === 'string'
                    ? canonicalExpression(member)
                    : withoutPlaces(member),
                ],
              ],
        ),
      )
    : value;
}

function formatted(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => {
      const made = formatText(sourceText(path, text));
      return [path, made.kind === 'formatted' ? made.text : made.kind];
    }),
  );
}

/** The comments of each file, sorted. */
function notes(texts: Texts): unknown {
  return Object.entries(texts).map(([path, text]) => [
    path,
    [...text.matchAll(/# note \d+/gu)].map(String).sort(),
  ]);
}

/** The comments that are not above the key that they name. */
function astray(texts: Texts): readonly string[] {
  return Object.values(texts).flatMap((text) =>
    [
      ...text.matchAll(/# note .* of (?<key>\w+)\n(?:\s*(?:#.*)?\n)*\s*(?:- (?:\{ )?)?(?<below>\w*)/gu),
    ].flatMap(([comment, key, below]) => (key === below ? [] : [comment])),
  );
}

test('formatText keeps the desired state and the comments of random projects, and changes nothing the second time', () => {
  const numbers = fc.array(fc.nat({ max: 255 }), { minLength: 97, maxLength: 97 });
  fc.assert(
    fc.property(numbers, (drawn) => {
      const before = project(new Dice(drawn));
      const after = formatted(before);
      const wanted = desired(before);
      expect(notes(after)).toEqual(notes(before));
      expect([...astray(before), ...astray(after)]).toEqual([]);
      expect(wanted.errors).toEqual([]);
      expect(desired(after)).toEqual(wanted);
      expect(formatted(after)).toEqual(after);
      expect(formatted(withCrlf(before))).toEqual(withCrlf(after));
    }),
    { numRuns: propertyRuns() },
  );
});

/** The same texts with CR LF line ends. */
function withCrlf(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]),
  );
}
