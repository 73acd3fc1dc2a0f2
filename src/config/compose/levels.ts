import type { Diagnostic, Environment } from '../../model/index.ts';
import {
  isCredential,
  isSensitiveEntry,
  isNamedLikeSecret,
  namesSecret,
  isLikeRandom,
  shapedSecrets,
  referenceTo,
} from '../../model/index.ts';
import type { ProjectDocument } from '../../model/generated/documents.ts';
import { isJsonObject } from '../../data/index.ts';
import type { JsonValue } from '../../data/index.ts';
import { finding } from '../source/finding.ts';
import { locateKey } from '../yaml/yaml-document.ts';
import type { ValuePath, YamlDocument } from '../yaml/yaml-document.ts';
import { isValue, checkPlainSecret, defaultProblem } from './pack.ts';
import type { ValueType, Variable, VariableContent, Variables } from './pack.ts';
import type { Composition } from './composition.ts';
import { fillValue } from './fill-text.ts';
import { readOutside } from './command-line.ts';
import { fillingAt, whereWritten } from './composition-site.ts';

/** The variables that one level of declarations adds to the weaker levels below it. */
interface VariableLevel {
  readonly document: YamlDocument;
  /** Path of the `vars`. */
  readonly path: ValuePath;
  readonly value: JsonValue | undefined;
}

/**
 * Returns the variables of a level on top of those below it, which its values may name. The levels, weakest first: project, `env`, file, zone of
 * a list, command line.
 */
export function withLevel(
  below: Variables,
  { document, path, value }: VariableLevel,
  composition: Composition,
): Variables {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) {
    return below;
  }
  const site = {
    document,
    via: [],
    variables: below,
    parameters: new Map(),
    prefix: '',
    chain: [],
    windows: [],
  };
  const level = new Map(below);
  for (const [name, written] of entries) {
    const at = [...path, name];
    composition.diagnostics.push(...checkPlainSecret({ document, path: at, name, value: written }));
    const filled = fillValue(written, fillingAt(site, at, { composition }));
    const content: VariableContent = isValue(filled) ? { kind: 'value', value: filled } : { kind: 'broken' };
    const value = whereWritten(site, at, written);
    const declared = declare({ name, content, where: locateKey(document, at), value }, below);
    composition.declared.push(declared);
    level.set(name, declared);
  }
  return level;
}

/** The environment; `unread` for a program that must not look at it: then nothing is said of variables that only the environment knows. */
export type KnownEnvironment = Environment | 'unread';

/** Returns the variables of the project file: its `vars`, and its `env` with values from the environment. */
export function projectVariables(
  document: YamlDocument,
  project: ProjectDocument,
  { composition, environment }: { readonly composition: Composition; readonly environment: KnownEnvironment },
): Variables {
  const own = withLevel(
    new Map(),
    { document, path: ['vars'], value: valueAt(document, 'vars') },
    composition,
  );
  const all = new Map(own);
  const entries = Object.entries(project.env ?? {}).map(
    ([name, said]) => [name, typeof said === 'string' ? { from: said } : said] as const,
  );
  const sensitive = new Map(
    entries
      .flatMap(([name, entry]) => (isSensitiveEntry(entry) ? [[entry.from, name] as const] : []))
      .toReversed(),
  );
  for (const [name, entry] of entries) {
    const where = locateKey(document, ['env', name]);
    const { content, diagnostics } = environmentContent(name, entry, { known: environment, sensitive });
    const twice = own.has(name)
      ? [
          finding('variable/declared-twice', {
            message: `\`${name}\` is declared in \`vars\` and in \`env\``,
            hint: 'keep one of them; `default` is what an environment variable means while it is not set',
            where,
          }),
        ]
      : [];
    const inClear = { document, path: ['env', name, 'default'], name, value: entry.default };
    const secret = checkPlainSecret(inClear);
    const wrong = secret.length > 0 ? secret : diagnostics.map((told) => ({ ...told, where }));
    composition.diagnostics.push(...twice, ...wrong);
    const declared = declare({ name, content, where }, own);
    composition.declared.push(declared);
    all.set(name, declared);
  }
  return all;
}

function declare(variable: Variable, below: Variables): Variable {
  const shadows = below.get(variable.name);
  return shadows === undefined ? variable : { ...variable, shadows };
}

function valueAt({ value }: YamlDocument, key: string): JsonValue | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}

interface EnvironmentEntry {
  readonly from: string;
  readonly type?: ValueType;
  readonly default?: Extract<VariableContent, { kind: 'value' }>['value'] | undefined;
  readonly sensitive?: boolean;
  readonly file?: string | undefined;
  readonly exec?: readonly string[] | undefined;
}

const VALUE_ITSELF = 'write the value itself, or remove the default and set the environment variable';

interface SensitiveEntries {
  /** The first name that calls an environment variable sensitive, by that variable. */
  readonly sensitive: ReadonlyMap<string, string>;
}

/** Reads an environment variable; a sensitive one is represented by its reference alone. */
function environmentContent(
  name: string,
  entry: EnvironmentEntry,
  { known, sensitive: others }: SensitiveEntries & { readonly known: KnownEnvironment },
): { readonly content: VariableContent; readonly diagnostics: readonly Diagnostic[] } {
  const { from, type = 'string', default: fallback } = entry;
  const sensitive = isSensitiveEntry(entry);
  const environment = known === 'unread' ? {} : known;
  const text = environment[from];
  const secret = secretMisuse(name, entry, { value: text, sensitive: others });
  if (secret !== undefined) {
    return { content: { kind: 'broken' }, diagnostics: [secret] };
  }
  if (sensitive) {
    const isTwice = entry.file !== undefined && entry.exec !== undefined;
    const wrong = type !== 'string' || fallback !== undefined || isTwice;
    const told = finding('variable/sensitive', {
      message: isTwice
        ? 'a sensitive variable comes from a file or from a command, not from both'
        : 'a sensitive variable is a string without a default',
      hint: 'a default would be in the file, and only a string can be recognised wherever it appears',
    });
    return wrong
      ? { content: { kind: 'broken' }, diagnostics: [told] }
      : {
          content: { kind: 'sensitive', env: from, reference: referenceTo(from, environment) },
          diagnostics: [],
        };
  }
  const wrong = fallback === undefined ? undefined : defaultProblem({ type }, fallback, VALUE_ITSELF);
  if (wrong !== undefined) {
    return {
      content: { kind: 'broken' },
      diagnostics: [
        finding('variable/wrong-value', {
          message: `the default of \`${name}\` ${wrong.message}`,
          hint: wrong.hint,
        }),
      ],
    };
  }
  if (text === undefined) {
    const unset =
      known === 'unread' ? ({ kind: 'broken' } as const) : ({ kind: 'unset', env: from } as const);
    return {
      content: fallback === undefined ? unset : { kind: 'value', value: fallback },
      diagnostics: [],
    };
  }
  const read = readOutside(type, text);
  return read.kind === 'value'
    ? { content: read, diagnostics: [] }
    : {
        content: { kind: 'broken' },
        diagnostics: [
          finding('variable/wrong-value', {
            message: `the environment variable ${from} ${read.message}`,
            hint: 'set it to such a value, or change its `type`',
          }),
        ],
      };
}

/** Reports an environment variable that would show a secret in plans, or hand the run's own credentials to rules. */
function secretMisuse(
  name: string,
  entry: EnvironmentEntry,
  { value = '', sensitive }: SensitiveEntries & { readonly value: string | undefined },
): Diagnostic | undefined {
  const { from } = entry;
  if (isCredential(from)) {
    return finding('variable/secret', {
      message: `${from} holds a credential of the run, which no rule may contain`,
      hint: 'remove it; a value for rules has an environment variable of its own',
    });
  }
  if (isSensitiveEntry(entry)) {
    return undefined;
  }
  const hint = `write \`{ from: ${from}, sensitive: true }\``;
  const other = sensitive.get(from);
  if (other !== undefined) {
    return finding('variable/secret', {
      message: `${from} is sensitive as \`${other}\`, and plans would show its value as \`${name}\``,
      hint,
    });
  }
  if (isNamedLikeSecret(from) || namesSecret(name)) {
    return finding('variable/secret', {
      message: `${isNamedLikeSecret(from) ? from : `\`${name}\``} is named like a secret, and plans would show its value`,
      hint: `${hint}; if its value is not a secret, give it another name`,
    });
  }
  const [shaped] = shapedSecrets(value);
  return shaped !== undefined || isLikeRandom(value)
    ? finding('variable/secret', {
        message: `the value of ${from} looks like ${shaped?.what ?? 'a secret'}, and plans would show it`,
        hint,
      })
    : undefined;
}
