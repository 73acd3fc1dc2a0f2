import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isForbidden, orElse } from '../../src/api/service-error.ts';
import { getSetting, settingRequest } from '../../src/api/setting-requests.ts';
import type { LiveSetting } from '../../src/model/setting.ts';
import { settingFacts } from '../../src/model/settings.ts';
import { closing, openScratchZone, PATIENCE } from './scratch-zone.ts';
import type { ScratchZone } from './scratch-zone.ts';

// The facts about settings that the safety of a run rests on, told and run as those of service.contract.test.ts are. What a test sets is put back
// when it ends.

let zone: ScratchZone;

beforeAll(async () => {
  zone = await openScratchZone(process.env);
  return closing(() => zone.close(), zone);
}, PATIENCE);

/** The values of a setting before two writes, of which each names one of two flags, and after them; null where the token may not read it. */
async function flipEach(name: string, flags: readonly [string, string]) {
  const facts = settingFacts(name);
  if (facts === undefined) {
    throw new Error(`no setting ${name}`);
  }
  const read = (): Promise<LiveSetting> => getSetting(zone.client, zone.scope.id, facts);
  const first = await orElse(read(), () => null, isForbidden);
  if (first === null) {
    return null;
  }
  const write = async (path: string, after: boolean): Promise<void> => {
    const live = await read();
    const fields = [{ path, before: live.values.get(path) ?? null, after }];
    await zone.client.send(settingRequest(zone.scope.id, facts, { fields, live }));
  };
  for (const path of flags) {
    const before = first.values.get(path) === true;
    onTestFinished(() => write(path, before), PATIENCE);
    await write(path, !before);
  }
  const wanted = flags.map((path) => [path, first.values.get(path) !== true] as const);
  return {
    seen: Object.fromEntries((await read()).values),
    wanted: Object.fromEntries([...first.values, ...wanted]),
  };
}

const NOT_ALLOWED = 'the token may not read this setting';

describe('writes of settings', { timeout: PATIENCE }, () => {
  // Otherwise a change of one field would reset the others to their defaults, which the plan does not show; and a look-up of a write without an
  // answer would call it undone.
  test('a write of bot_management leaves the fields that it does not name, and shows at once (docs/settings.md, assumed)', async ({
    skip,
  }) => {
    const found = await flipEach('bot_management', ['/enable_js', '/is_robots_txt_managed']);
    skip(found === null, NOT_ALLOWED);
    expect(found?.seen).toEqual(found?.wanted);
  });

  test('a write of page_shield leaves the fields that it does not name, and shows at once (docs/settings.md, assumed)', async ({
    skip,
  }) => {
    const found = await flipEach('page_shield', ['/enabled', '/use_connection_url_path']);
    skip(found === null, NOT_ALLOWED);
    expect(found?.seen).toEqual(found?.wanted);
  });

  test('a write of managed_transforms leaves the switches that it does not name, and shows at once (docs/settings.md)', async ({
    skip,
  }) => {
    const found = await flipEach('managed_transforms', [
      '/add_visitor_location_headers',
      '/add_security_headers',
    ]);
    skip(found === null, NOT_ALLOWED);
    expect(found?.seen).toEqual(found?.wanted);
  });
});
