import { createHash } from 'node:crypto';

import { isObject, parsedJson } from '../protocol/json.ts';
import type { RulesetVersion, StoredRule, StoredRuleset } from '../records/ruleset.ts';
import type { StoreContent } from './store.ts';

const FORMAT = 'rulewright-emulator-state';
const VERSION = 1;

/**
 * Encodes a store's content as the text of a state file: one line with format, version and digest, and one line with
 * the content. A rule is written once, however many versions of its ruleset hold it.
 */
export function encodeState(content: StoreContent): string {
  const packed = JSON.stringify({ ...content, rulesets: content.rulesets.map(pack) });
  return `${JSON.stringify({ format: FORMAT, version: VERSION, digest: digest(packed) })}\n${packed}\n`;
}

/**
 * Decodes the text of a state file. Throws an error that says whether the text is not a state file, has another
 * version, or has been altered.
 */
export function decodeState(text: string, path: string): StoreContent {
  const end = text.indexOf('\n');
  const head = parsedJson(end < 0 ? text : text.slice(0, end));
  if (!isObject(head) || head['format'] !== FORMAT) {
    throw new Error(`${path} is not a state file of the emulator, or it is damaged; ${ADVICE}`);
  }
  if (head['version'] !== VERSION) {
    throw new Error(
      `the state file ${path} has version ${String(head['version'])}, this emulator reads version ${VERSION}; ${ADVICE}`,
    );
  }
  const packed = text.slice(end + 1).trimEnd();
  const content = parsedJson(packed);
  if (digest(packed) !== head['digest'] || !isPacked(content)) {
    throw new Error(`the state file ${path} is damaged: its content does not fit its digest; ${ADVICE}`);
  }
  return { ...content, rulesets: content.rulesets.map(unpack) };
}

const ADVICE = 'move it away to start from the seed';

type PackedVersion = Omit<RulesetVersion, 'rules'> & { readonly rules: readonly number[] };
type PackedRuleset = Omit<StoredRuleset, 'versions'> & {
  readonly pool: readonly StoredRule[];
  readonly versions: readonly PackedVersion[];
};
type PackedContent = Omit<StoreContent, 'rulesets'> & { readonly rulesets: readonly PackedRuleset[] };

function pack(ruleset: StoredRuleset): PackedRuleset {
  const places = new Map<StoredRule, number>();
  const placeOf = (rule: StoredRule): number => {
    const place = places.get(rule) ?? places.size;
    places.set(rule, place);
    return place;
  };
  const versions = ruleset.versions.map((version) => ({ ...version, rules: version.rules.map(placeOf) }));
  return { ...ruleset, versions, pool: [...places.keys()] };
}

function unpack({ pool, ...ruleset }: PackedRuleset): StoredRuleset {
  const versions = ruleset.versions.map((version) => ({
    ...version,
    rules: version.rules.flatMap((place) => pool[place] ?? []),
  }));
  return { ...ruleset, versions };
}

// The digest vouches for the rest: only this module writes content whose digest fits.
function isPacked(value: unknown): value is PackedContent {
  return isObject(value) && Array.isArray(value['rulesets']);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
