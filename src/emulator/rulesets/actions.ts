import { object, opaque } from '../decode/shape.ts';
import type { ObjectShape, Shape } from '../decode/shape.ts';
import { setCacheControl, setCacheSettings, setCacheTags } from './parameters/cache.ts';
import { execute, skip } from './parameters/deploy.ts';
import { setConfig } from './parameters/settings.ts';
import {
  block,
  compressResponse,
  logCustomField,
  redirect,
  rewrite,
  route,
  score,
  serveError,
} from './parameters/traffic.ts';

/** Whether and how an action takes parameters (api.md 5.1). */
export interface ActionRow {
  readonly parameters: Shape;
  /** `required`: a rule without parameters is refused, with the action's own code where it is known. */
  readonly need: 'required' | 'optional' | 'none';
  readonly missingCode?: number;
  /** Set when no phase is documented for the action; every phase that takes rules then accepts it. */
  readonly anywhere?: true;
}

const none: ActionRow = { parameters: object({}), need: 'none' };
const required = (parameters: ObjectShape, missingCode?: number): ActionRow => ({
  parameters,
  need: 'required',
  ...(missingCode === undefined ? {} : { missingCode }),
});

const actions: Readonly<Record<string, ActionRow>> = {
  block: { parameters: block, need: 'optional' },
  challenge: none,
  js_challenge: none,
  managed_challenge: none,
  log: none,
  skip: required(skip),
  execute: required(execute),
  rewrite: required(rewrite),
  redirect: required(redirect),
  route: required(route),
  score: required(score),
  serve_error: required(serveError),
  set_config: required(setConfig, 20113),
  set_cache_settings: required(setCacheSettings, 20106),
  set_cache_control: required(setCacheControl),
  set_cache_tags: required(setCacheTags),
  compress_response: required(compressResponse),
  log_custom_field: required(logCustomField),
  // The newest schema has one undocumented member; nothing more is known (api.md 5.16).
  transform_response_html: { ...required(object({ link_maze: opaque })), anywhere: true },
  ddos_dynamic: none,
  ddos_mitigation: none,
  force_connection_close: none,
  connection_close: none,
  allow: none,
};

/** The row for any action of a newer service: takes any parameters, in every phase. */
export const NEWER_ACTION: ActionRow = {
  parameters: opaque,
  need: 'optional',
  anywhere: true,
};

/** Returns the row of an action, or undefined when there is no such action. */
export function actionRow(action: string): ActionRow | undefined {
  return Object.hasOwn(actions, action) ? actions[action] : undefined;
}
