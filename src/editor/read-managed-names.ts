import { LOCK_FILE, RulewrightError, WELL_KNOWN_RULESETS } from '../model/index.ts';
import type { ManagedLock } from '../model/index.ts';
import { parseLock } from '../plan/index.ts';
import { slug } from '../text/index.ts';
import type { OpenProject } from './open-project.ts';

/** What is known of the vendor's rulesets without asking the service. */
export interface KnownManagedNames {
  /** By the name that files use, such as `managed:cloudflare-managed-ruleset`. */
  readonly rulesets: readonly { readonly id: string; readonly name: string; readonly title: string }[];
  readonly categories: readonly string[];
  readonly rules: readonly { readonly id: string; readonly title: string }[];
}

/** Returns the names of managed rulesets that this version knows, and what the project's lock says of them. */
export async function readManagedNames(open: OpenProject): Promise<KnownManagedNames> {
  const read = await open.read(LOCK_FILE);
  const { rulesets } = read.kind === 'read' ? lockIn(read.source.text) : { rulesets: [] };
  const locked = rulesets.map(({ id, name }) => [id, `managed:${slug(name)}`, name] as const);
  const known = [...WELL_KNOWN_RULESETS].map(([id, name]) => [id, name, titleOf(name)] as const);
  const keys = rulesets.flatMap(({ meets }) => [...meets.keys()]);
  const titles = new Map(
    rulesets.flatMap(({ name, meets }) =>
      [...meets.values()].flatMap((ids) => ids.map((id) => [id, `a rule of ${name}`] as const)),
    ),
  );
  return {
    rulesets: [
      ...new Map([...known, ...locked].map(([id, name, title]) => [id, { id, name, title }])).values(),
    ],
    categories: [...new Set(keys.flatMap((key) => /^category (.+)$/u.exec(key)?.[1] ?? []))],
    rules: [...titles].map(([id, title]) => ({ id, title })),
  };
}

/** Returns the lock of a text; nothing of one that `plan` would refuse. */
function lockIn(text: string): ManagedLock {
  try {
    return parseLock(text);
  } catch (error) {
    if (error instanceof RulewrightError) {
      return { rulesets: [] };
    }
    throw error;
  }
}

/** `Cloudflare Managed Ruleset` of `managed:cloudflare-managed-ruleset`. */
function titleOf(name: string): string {
  return name
    .replace('managed:', '')
    .replaceAll(
      /(^|-)([a-z])/gu,
      (_, gap: string, letter: string) => `${gap === '' ? '' : ' '}${letter.toUpperCase()}`,
    );
}
