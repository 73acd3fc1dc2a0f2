import { checkPermission } from '../call/call.ts';
import { object, opaque, text } from '../decode/shape.ts';
import { result } from '../protocol/answer.ts';
import { deletedId } from './family.ts';
import type { ObjectFamily } from './family.ts';
import { showObject } from './zone-object.ts';

/** Where a zone looks for credentials that may have leaked, besides the usual places (newest schema). */
export const detections: ObjectFamily = {
  name: 'detections',
  noun: 'detection',
  path: '/leaked-credential-checks/detections',
  changes: ['PUT'],
  body: object({ id: opaque, username: text(), password: text() }),
  checkAccess: (call, access) => checkPermission(call, access, ['Zone WAF']),
  list: (_, objects) => result(objects.map(showObject)),
  fill: ({ username, password }) => ({ username, password }),
  deleted: deletedId,
};
