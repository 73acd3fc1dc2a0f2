import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeRuleset, decodeRulesetHeads } from '../../src/api/decode-ruleset.ts';
import { isJsonArray, isJsonObject, objectOf, textOf } from '../../src/data/json.ts';
import { getRuleset, listRulesets } from '../../src/api/rulesets.ts';
import { serviceError } from './caught.ts';
import { startLoopback, success } from './loopback.ts';
import { openReader } from './open.ts';
import { ZONE } from './builders.ts';

const corpus = process.env['RULEWRIGHT_CORPUS'];

function files(folder: string): readonly string[] {
  return corpus === undefined
    ? []
    : readdirSync(join(corpus, 'samples', folder)).map((name) => join(folder, name));
}

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(corpus ?? '', 'samples', file), 'utf8')) as Record<string, unknown>;
}

function members(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}

describe.skipIf(corpus === undefined)('recorded answers (skipped: RULEWRIGHT_CORPUS is not set)', () => {
  const isList = (file: string): boolean => isJsonArray(read(file)['result']);
  const decodable = [...files('recorded-rulesets'), ...files('rulesets')];

  test.each(decodable.filter(isList))('%s decodes with all its rulesets', (file) => {
    const { result } = read(file);
    expect(decodeRulesetHeads(result).map(({ id }) => id)).toEqual(members(result).map((head) => head['id']));
  });

  test.each(decodable.filter((file) => !isList(file)))('%s decodes with all its rules', (file) => {
    const wire = read(file)['result'] as Record<string, unknown>;
    const rules = members(wire['rules']);
    const ruleset = decodeRuleset(wire);
    expect(ruleset).toMatchObject({
      id: wire['id'],
      kind: wire['kind'],
      phase: wire['phase'],
      version: wire['version'],
    });
    expect(ruleset.rules.map(({ content }) => [content.action, content.action_parameters])).toEqual(
      rules.map((rule) => [rule['action'], rule['action_parameters']]),
    );
  });

  test.each(files('recorded-rulesets'))('%s reads the same through the client', async (file) => {
    const body = read(file);
    const server = await startLoopback((_seen, response) => response.end(JSON.stringify(body)));
    const { client } = openReader(server.baseUrl);
    const decoded = Array.isArray(body['result'])
      ? await listRulesets(client, ZONE)
      : await getRuleset(client, ZONE, textOf(objectOf(body['result'])['id']));
    expect(decoded).toEqual(
      Array.isArray(body['result']) ? decodeRulesetHeads(body['result']) : decodeRuleset(body['result']),
    );
  });

  test.each(files('errors'))('%s becomes an error that keeps the status and the messages', async (file) => {
    const recorded = read(file);
    const body = recorded['body'];
    const status = Number(recorded['http_status']);
    const server = await startLoopback((_seen, response) => {
      response.writeHead(Number.isNaN(status) ? 400 : status);
      response.end(body === undefined ? String(recorded['body_text']) : JSON.stringify(body));
    });
    const { client } = openReader(server.baseUrl);
    const error = await serviceError(client.get('/zones'));
    const items = isJsonObject(body) && isJsonArray(body['errors']) ? body['errors'] : [];
    for (const item of items) {
      const message = isJsonObject(item) ? item['message'] : '';
      expect(error.errors.map((one) => one.message)).toContain(message);
      expect(error.message).toContain(message);
    }
    expect(error.status).toBe(Number.isNaN(status) ? 400 : status);
  });
});

test('the envelope that tests answer with has the members of a recorded one', () => {
  expect(Object.keys(success(null)).sort()).toEqual(['errors', 'messages', 'result', 'success']);
});
