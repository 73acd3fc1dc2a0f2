import { accept } from './accept.ts';
import type { ReadClient, WriteClient } from './client.ts';
import type { RateLimit } from './decode-rate-limit.ts';
import { decodeRateLimit } from './decode-rate-limit.ts';
import { decodeAll, decodeDeleted, decodeSingle } from './decode-zone-objects.ts';
import { readByPage } from './pages.ts';
import { zoneFamilyPath, zoneObjectPath } from './paths.ts';
import type { WriteRequest } from './request.ts';
import type { JsonObject } from '../model/json.ts';

const FAMILY = 'rate_limits';
const decodeOne = decodeSingle(decodeRateLimit);

/** All old rate limits of a zone (specification 9, api.md 9.6). */
export function listRateLimits(client: ReadClient, zoneId: string): Promise<readonly RateLimit[]> {
  return readByPage(client, zoneFamilyPath(zoneId, FAMILY), {
    perPage: 100,
    decode: decodeAll(decodeRateLimit),
  });
}

/** One old rate limit. */
export async function getRateLimit(
  client: ReadClient,
  zoneId: string,
  rateLimitId: string,
): Promise<RateLimit> {
  return accept(await client.get(zoneObjectPath(zoneId, FAMILY, rateLimitId)), decodeOne);
}

/** POST of an old rate limit, its members as in api.md 9.6: `match`, `threshold`, `period`, `action` are required. */
export function createRateLimitRequest(zoneId: string, body: JsonObject): WriteRequest {
  return { method: 'POST', path: zoneFamilyPath(zoneId, FAMILY), body };
}

/** PUT of an old rate limit as a whole. */
export function updateRateLimitRequest(zoneId: string, rateLimitId: string, body: JsonObject): WriteRequest {
  return { method: 'PUT', path: zoneObjectPath(zoneId, FAMILY, rateLimitId), body };
}

/** DELETE of an old rate limit. */
export function deleteRateLimitRequest(zoneId: string, rateLimitId: string): WriteRequest {
  return { method: 'DELETE', path: zoneObjectPath(zoneId, FAMILY, rateLimitId) };
}

/** Makes an old rate limit. */
export async function createRateLimit(
  client: WriteClient,
  zoneId: string,
  body: JsonObject,
): Promise<RateLimit> {
  return accept(await client.send(createRateLimitRequest(zoneId, body)), decodeOne);
}

/** Replaces an old rate limit. */
export async function updateRateLimit(
  client: WriteClient,
  zoneId: string,
  rateLimitId: string,
  body: JsonObject,
): Promise<RateLimit> {
  return accept(await client.send(updateRateLimitRequest(zoneId, rateLimitId, body)), decodeOne);
}

/** Deletes an old rate limit; answered with its id, or with `null` as recorded (api.md 9.6). */
export async function deleteRateLimit(
  client: WriteClient,
  zoneId: string,
  rateLimitId: string,
): Promise<void> {
  const answer = await client.send(deleteRateLimitRequest(zoneId, rateLimitId));
  accept(answer, decodeDeleted([rateLimitId]));
}
