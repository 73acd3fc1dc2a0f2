import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createBudget } from '../../src/api/budget.ts';
import type { WriteClient } from '../../src/api/client.ts';
import { openWriteClient } from '../../src/api/client.ts';
import type { Clock } from '../../src/network/clock.ts';
import { systemClock } from '../../src/network/clock.ts';
import { resolveScope } from '../../src/api/resolve-scope.ts';
import type { CreateRuleset } from '../../src/api/ruleset-requests.ts';
import { getEntrypoint, listRulesets } from '../../src/api/rulesets.ts';
import { isNotFound, orElse, serviceErrorOf } from '../../src/api/service-error.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import type { LiveRuleset } from '../../src/model/ruleset.ts';
import type { Scope } from '../../src/model/scope.ts';
import { createRuleset, deleteRuleset } from '../api/ruleset-writes.ts';
import { createFakeClock } from '../fake-clock.ts';

/** The only phase that is written to: zones of every plan have it, and only it has custom rulesets (api.md 2.1, 3.1). */
export const PHASE = 'http_request_firewall_custom';

/** The timeout of a test: a real service may ask to wait five minutes. */
export const PATIENCE = 600_000;

/** The beginning of the description of every ruleset and list that any run has created. */
export const MAKER = 'rulewright-contract';

/** A zone in which a test may write to the rulesets that it has created. */
export interface ScratchZone {
  readonly client: WriteClient;
  readonly scope: Scope;
  /** The clock that waits go by: where the service is embedded, its own, so that no test really waits. */
  readonly clock: Clock;
  /** The beginning of all names and refs of this run, which nobody else uses. */
  readonly mark: string;
  /** A line about the requests to a real service; empty for an embedded one. */
  readonly report: () => string;
  /** Creates a ruleset by POST, which replaces no other. Everything that a test has created is deleted when it ends. */
  make(body: Omit<CreateRuleset, 'phase' | 'description'>): Promise<LiveRuleset>;
  /** Deletes what is left of this run, such as a ruleset whose creation was not answered. Rejects if something cannot be deleted. */
  close(): Promise<void>;
}

/** `RULEWRIGHT_CONTRACT_ZONE` names a zone of a real service. Without it, the zone is one of an embedded service. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Opens the zone. Rejects without having written if it has an entry point of the phase or rulesets that a stopped run left behind. */
export async function openScratchZone(env: Environment): Promise<ScratchZone> {
  const real = realZone(env);
  const { baseUrl, token, name, clock, close } = real ?? (await embeddedZone());
  let requests = 0;
  const client = openWriteClient({
    baseUrl,
    credentials: { kind: 'token', token },
    clock,
    budget: createBudget({ clock }),
    onEvent: ({ kind }) => {
      requests += kind === 'started' ? 1 : 0;
    },
  });
  const end = async (): Promise<void> => {
    await client.close();
    await close();
  };
  try {
    const scope = await resolveScope(client, { kind: 'zone', name });
    await refuseTaken(client, scope);
    const mark = `${MAKER}-${randomBytes(4).toString('hex')}`;
    const made = new Set<string>();
    const sweep = (): Promise<void> => deleteMade(client, scope, { mark, made });
    return {
      client,
      scope,
      clock,
      mark,
      report: () => (real === null ? '' : `${requests} requests to ${scope.name} at ${baseUrl}\n`),
      make: async (body) => {
        onTestFinished(sweep, PATIENCE);
        const ruleset = await createRuleset(client, scope, { ...body, phase: PHASE, description: mark });
        made.add(ruleset.id);
        return ruleset;
      },
      close: async () => {
        try {
          await sweep();
        } finally {
          await end();
        }
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function realZone(env: Environment) {
  const name = env['RULEWRIGHT_CONTRACT_ZONE'] ?? '';
  const token = env['CLOUDFLARE_API_TOKEN'] ?? '';
  if (name === '') {
    return null;
  }
  if (token === '') {
    throw new Error(
      'RULEWRIGHT_CONTRACT_ZONE names a zone of a real service: CLOUDFLARE_API_TOKEN is needed',
    );
  }
  const baseUrl = env['CLOUDFLARE_BASE_URL'] || 'https://api.cloudflare.com/client/v4';
  return { baseUrl, token, name, clock: systemClock, close: () => Promise.resolve() };
}

/** The zone is on the Pro plan, because a test needs two custom rulesets (api.md 8.1). */
async function embeddedZone() {
  const name = 'scratch.example';
  const clock = createFakeClock();
  const emulator = await startEmulator({
    clock,
    seed: { version: 1, accounts: [{ name: 'Scratch' }], zones: [{ name, plan: 'pro' }] },
  });
  return { ...emulator, name, clock };
}

async function refuseTaken(client: WriteClient, scope: Scope): Promise<void> {
  const left = (await listRulesets(client, scope)).filter(({ description }) => description.startsWith(MAKER));
  if (left.length > 0) {
    const ids = left.map(({ id, description }) => `${id} (${description})`).join(', ');
    throw new Error(`${scope.name} has rulesets that a stopped run left behind, delete them first: ${ids}`);
  }
  if ((await getEntrypoint(client, scope, PHASE)) !== null) {
    throw new Error(
      `${scope.name} has an entry point of ${PHASE}: take a zone without one, for nothing of others may be written to`,
    );
  }
}

/**
 * Deletes what a run has created, and what has its mark, because the answer to a creation can be lost. Deletes entry points first, because a
 * ruleset that a rule executes cannot be deleted. Rejects with what is left.
 */
async function deleteMade(
  client: WriteClient,
  scope: Scope,
  { mark, made }: { readonly mark: string; readonly made: Set<string> },
): Promise<void> {
  const marked = (await listRulesets(client, scope))
    .filter(({ description }) => description.startsWith(mark))
    .toSorted((a, b) => Number(a.kind === 'custom') - Number(b.kind === 'custom'))
    .map(({ id }) => id);
  const left: string[] = [];
  for (const id of new Set([...marked, ...[...made].toReversed()])) {
    const deleted = orElse(deleteRuleset(client, scope, id), () => undefined, isNotFound);
    const error = await serviceErrorOf(deleted);
    if (error === null) {
      made.delete(id);
    } else {
      left.push(`${id} (${error.message})`);
    }
  }
  if (left.length > 0) {
    throw new Error(`${scope.name} has rulesets of ${mark} that could not be deleted: ${left.join(', ')}`);
  }
}

/** Returns what a file of tests does behind them: it closes what it opened, and tells how many requests it made. */
export function closing(
  close: () => Promise<void>,
  { report }: Pick<ScratchZone, 'report'>,
): () => Promise<void> {
  return async () => {
    await close().finally(() => {
      process.stdout.write(report());
    });
  };
}
