import { flag, object, text, word } from '../decode/shape.ts';
import type { Shape } from '../decode/shape.ts';
import { zoneOf } from '../call/call.ts';
import type { ScopedCall } from '../call/call.ts';
import { stateOf } from '../waf/migration-state.ts';
import { refuse } from '../protocol/refusal.ts';
import { untouchedWaf } from '../waf/old-waf.ts';
import { changeDnsSettings, dnsSettings } from './dns-settings.ts';
import { inEffect } from '../environment/in-effect.ts';

/** A zone setting: its possible values, its default, and where its value is stored if not with the setting. */
export interface SettingRow {
  readonly value: Shape;
  readonly standard: unknown;
  /** The id of the deprecation that may have removed the setting. */
  readonly deprecation?: string;
  /** Returns the value to show when it is stored elsewhere; `own` is the value last written to the setting. */
  readonly read?: (call: ScopedCall, own: unknown) => unknown;
  /** Does what a new value needs besides being stored; refuses a value that is not possible. */
  readonly write?: (call: ScopedCall, value: unknown) => void;
  /** Whether a valid value no longer has an effect. */
  readonly ignored?: (call: ScopedCall, value: unknown) => boolean;
}

const onOff = word('on', 'off');

/** The zone settings that concern a deprecation or the old WAF (specification 9; api.md 10.2, 12.1). */
export const settingRows: Readonly<Record<string, SettingRow>> = {
  brotli: { value: onOff, standard: 'on', deprecation: 'brotli' },
  cname_flattening: {
    value: word('off', 'apex', 'on'),
    standard: 'apex',
    deprecation: 'cname-flattening',
    // `off` and `apex` correspond to false, `on` to true (specification 9).
    read: (call, own) => {
      if (dnsSettings(call.service.store, call.scope.owner).flatten_all_cnames) {
        return 'on';
      }
      return own === 'on' ? 'apex' : own;
    },
    write: (call, value) => {
      changeDnsSettings(call.service.store, call.scope.owner, { flatten_all_cnames: value === 'on' });
    },
  },
  minify: {
    value: object({ css: onOff, html: onOff, js: onOff }),
    standard: { css: 'off', html: 'off', js: 'off' },
    deprecation: 'minify',
  },
  mirage: { value: onOff, standard: 'off', deprecation: 'mirage' },
  mobile_redirect: {
    value: object({ status: onOff, mobile_subdomain: text(), strip_uri: flag() }),
    standard: { status: 'off', mobile_subdomain: null, strip_uri: false },
    deprecation: 'mobile-redirect',
  },
  privacy_pass: { value: onOff, standard: 'on', deprecation: 'privacy-pass' },
  security_level: {
    value: word('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
    standard: 'medium',
    deprecation: 'security-level',
    // The level is set automatically; only `off`, `essentially_off` and `under_attack` can still be chosen
    // (api.md 12.1; which ones is assumed).
    ignored: (call, value) =>
      inEffect(call.service, 'security-level') && ['low', 'medium', 'high'].includes(String(value)),
  },
  server_side_exclude: { value: onOff, standard: 'on', deprecation: 'server-side-exclude' },
  waf: {
    value: onOff,
    standard: 'on',
    read: (call) => {
      const zone = zoneOf(call);
      const old = call.service.store.oldWafs.get(zone.id)?.enabled !== false;
      return stateOf(call.service, zone).oldWaf === 'enabled' && old ? 'on' : 'off';
    },
    write: (call, value) => {
      const zone = zoneOf(call);
      const { oldWafs } = call.service.store;
      if (stateOf(call.service, zone).oldWaf === 'disabled') {
        throw refuse(400, 'the setting waf cannot be changed: the zone has migrated');
      }
      oldWafs.set(zone.id, { ...(oldWafs.get(zone.id) ?? untouchedWaf(zone.id)), enabled: value === 'on' });
    },
  },
};
