/** Where another tool has something: a resource instance in Terraform's own notation, or a section of a file of octorules. */
export interface StatedAddress {
  /** The whole address, with the keys of modules and of the resource: `module.edge["eu"].cloudflare_ruleset.waf["shop.example"]`. */
  readonly instance: string;
  /** The address of the resource block, without any keys: what a `removed` block names. */
  readonly resource: string;
  readonly type: string;
  readonly name: string;
  /** What files say of it above what it became: "" for nothing. */
  readonly note: string;
}

/** The key of an instance: of `for_each` or of `count`; absent where there is only one. */
export type InstanceKey = string | number | undefined;

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_-]*`;
const KEY = String.raw`\[(?:\d+|"(?:[^"\\\p{C}\p{Zl}\p{Zp}]|\\.)*")\]`;
const MODULES = new RegExp(`^(?:module\\.${NAME}(?:${KEY})?\\.?)*$`, 'u');
const ADDRESS = new RegExp(
  `^(?<modules>(?:module\\.${NAME}(?:${KEY})?\\.)*)(?<type>${NAME})\\.(?<name>${NAME})(?:${KEY})?$`,
  'u',
);

/** Longer addresses than any person writes would only fill output. */
const LONGEST = 2000;

/** Reads the address of a managed resource; undefined where a text is none. */
export function readAddress(text: string): StatedAddress | undefined {
  const { modules = '', type, name } = (text.length > LONGEST ? null : ADDRESS.exec(text))?.groups ?? {};
  return type === undefined || name === undefined
    ? undefined
    : { instance: text, resource: `${withoutKeys(modules)}${type}.${name}`, type, name, note: text };
}

/** A module on the way to a resource, or the resource itself, by type and name; the key where it is a plain text. */
export interface AddressStep {
  readonly name: string;
  readonly key: string | undefined;
}

const STEP = new RegExp(
  `(?:module\\.(?<module>${NAME})|(?<resource>${NAME}\\.${NAME}))(?<key>${KEY})?(?:\\.|$)`,
  'uy',
);

/** Returns the modules that an address leads through, and then the resource. */
export function addressSteps({ instance }: StatedAddress): readonly AddressStep[] {
  return [...instance.matchAll(new RegExp(STEP, 'guy'))].map(({ groups = {} }) => ({
    name: groups['module'] ?? groups['resource'] ?? '',
    key: /^\["([^"\\]*)"\]$/u.exec(groups['key'] ?? '')?.[1],
  }));
}

/** Returns the address of an instance as a state of version 4 stores its parts; undefined where they are none. */
export function addressOf(
  module: string,
  { type, name, key }: { readonly type: string; readonly name: string; readonly key: InstanceKey },
): StatedAddress | undefined {
  const start = module === '' ? '' : `${module}.`;
  const end = key === undefined ? '' : `[${typeof key === 'number' ? key : hclText(key)}]`;
  return module.length <= LONGEST && MODULES.test(module)
    ? readAddress(`${start}${type}.${name}${end}`)
    : undefined;
}

function withoutKeys(modules: string): string {
  return modules.replaceAll(new RegExp(KEY, 'gu'), '');
}

/** Spells a text as HCL quotes it in addresses: nothing in it can end the quotes, begin a line, or act on a terminal. */
function hclText(text: string): string {
  const spelled = text
    .replaceAll(/["\\]/gu, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll(/[$%](?=\{)/gu, '$&$&')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (odd) =>
      [...Array(odd.length).keys()]
        .map((at) => `\\u${odd.charCodeAt(at).toString(16).padStart(4, '0')}`)
        .join(''),
    );
  return `"${spelled}"`;
}
