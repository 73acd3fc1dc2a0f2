// The embedded service as a process of its own, and what a measurement asks of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PHASE, zoneName } from './world.mjs';

/**
 * @typedef {{ readonly id: string, readonly ref: string, readonly version: string, readonly expression: string, readonly enabled: boolean }} LiveRule
 * @typedef {{ readonly method: string, readonly path: string, readonly status: number, readonly wrote: boolean }} SentRequest
 */

/**
 * Starts the service on a free port.
 *
 * @param {string} program the built command line
 * @param {string} seed
 * @param {readonly string[]} flags
 */
export async function startService(program, seed, flags) {
  const child = spawn(
    process.execPath,
    [program, 'emulator', '--seed', seed, '--format', 'json', '--quiet', ...flags],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { baseUrl, token } = JSON.parse(String(line));
  const controlUrl = baseUrl.replace('/client/v4', '/_emulator');

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   */
  async function control(method, path, body) {
    const answer = await fetch(controlUrl + path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) {
      throw new Error(`${method} ${path}: ${await answer.text()}`);
    }
    return answer.json();
  }

  /** @param {string} path */
  async function read(path) {
    const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
    return answer.json();
  }

  await control('POST', '/snapshot', { name: 'start' });

  return {
    baseUrl,
    env: { CLOUDFLARE_BASE_URL: baseUrl, CLOUDFLARE_API_TOKEN: token },
    control,

    /** Everything as it was at the start, without faults and with no request on record. */
    async restart() {
      await control('POST', '/reset');
      await control('DELETE', '/faults');
      await control('POST', '/restore', { name: 'start' });
    },

    /** @returns {Promise<readonly SentRequest[]>} */
    requests: () => control('GET', '/requests'),

    /** @param {number} zone */
    async zoneId(zone) {
      const { result } = await read(`/zones?name=${zoneName(zone)}`);
      return String(result[0].id);
    },

    /**
     * The live rules of each zone.
     *
     * @param {number} zones
     * @returns {Promise<readonly (readonly LiveRule[])[]>}
     */
    async rules(zones) {
      const all = [];
      for (let zone = 0; zone < zones; zone += 1) {
        const { result } = await read(
          `/zones/${await this.zoneId(zone)}/rulesets/phases/${PHASE}/entrypoint`,
        );
        all.push(result.rules ?? []);
      }
      return all;
    },

    async close() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
