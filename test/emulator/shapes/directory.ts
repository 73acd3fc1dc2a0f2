import { pages, plan } from './answers.ts';
import type { AnswerShapes } from './answers.ts';
import { any, flag, id, integer, list, object, text, time, word } from './shape.ts';

const account = object({
  id,
  name: text,
  type: word('standard', 'enterprise'),
  settings: any,
  created_on: time,
});

const zone = object({
  id,
  name: text,
  status: word('active'),
  paused: flag,
  type: text,
  development_mode: integer,
  name_servers: list(text),
  account: object({ id, name: text }),
  plan: object({ legacy_id: plan, name: text }),
  created_on: time,
  modified_on: time,
  activated_on: time,
});

/** Token check, accounts, zones (api.md 1.1, 13.4). */
export const directoryShapes: AnswerShapes = {
  'GET /user/tokens/verify': { result: object({ id, status: word('active', 'disabled', 'expired') }) },
  'GET /accounts': { result: list(account), info: pages },
  'GET /accounts/:account': { result: account },
  'GET /zones': { result: list(zone), info: pages },
  'GET /zones/:zone': { result: zone },
};
