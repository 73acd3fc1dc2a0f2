import type { Place } from './shape.ts';
import {
  flagOr,
  numberMember,
  objectAt,
  optionalItems,
  optionalNumber,
  optionalObject,
  optionalText,
  optionalTexts,
  textMember,
  unexpected,
} from './shape.ts';
import type { JsonObject } from '../model/json.ts';
import type { OldRateLimit } from '../model/old-rate-limit.ts';

/** An old rate limit, with all that the service says of it. */
export interface RateLimit extends OldRateLimit {
  /** The whole object as the service sent it. */
  readonly wire: JsonObject;
}

/** A rate limit of an answer. Throws `api/unexpected-answer` with the pointer of what is wrong. */
export function decodeRateLimit({ value, pointer }: Place): RateLimit {
  const limit = objectAt({ value, pointer });
  const match = optionalObject(limit, 'match', pointer);
  const correlate = optionalObject(limit, 'correlate', pointer);
  return {
    id: textMember(limit, 'id', pointer),
    disabled: flagOr(limit, 'disabled', { pointer, standard: false }),
    description: optionalText(limit, 'description', pointer) ?? '',
    threshold: numberMember(limit, 'threshold', pointer),
    period: numberMember(limit, 'period', pointer),
    ...decodeMatch(match, `${pointer}/match`),
    bypassUrls: optionalItems(limit, 'bypass', pointer).map(decodeBypass),
    action: decodeAction({ value: limit['action'], pointer: `${pointer}/action` }),
    correlateBy: optionalText(correlate, 'by', `${pointer}/correlate`) ?? null,
    wire: limit,
  };
}

function decodeMatch(match: JsonObject, pointer: string): Pick<RateLimit, 'request' | 'response'> {
  const request = optionalObject(match, 'request', pointer);
  const response = optionalObject(match, 'response', pointer);
  const at = `${pointer}/response`;
  return {
    request: {
      methods: optionalTexts(request, 'methods', `${pointer}/request`),
      schemes: optionalTexts(request, 'schemes', `${pointer}/request`),
      url: optionalText(request, 'url', `${pointer}/request`) ?? '',
    },
    response: {
      statuses: optionalItems(response, 'status', at).map(decodeStatus),
      originTraffic: flagOr(response, 'origin_traffic', { pointer: at, standard: true }),
      // The newest schema has the headers one level higher.
      headers: [...optionalItems(response, 'headers', at), ...optionalItems(match, 'headers', pointer)].map(
        decodeHeader,
      ),
    },
  };
}

function decodeStatus({ value, pointer }: Place): number {
  if (typeof value !== 'number') {
    throw unexpected(pointer, 'should be a number');
  }
  return value;
}

function decodeHeader(place: Place): OldRateLimit['response']['headers'][number] {
  const header = objectAt(place);
  return {
    name: textMember(header, 'name', place.pointer),
    op: textMember(header, 'op', place.pointer),
    value: optionalText(header, 'value', place.pointer) ?? '',
  };
}

function decodeBypass(place: Place): string {
  return textMember(objectAt(place), 'value', place.pointer);
}

function decodeAction(place: Place): RateLimit['action'] {
  const action = objectAt(place);
  const { pointer } = place;
  const given = action['response'] ?? null;
  const at = `${pointer}/response`;
  const response = given === null ? null : objectAt({ value: given, pointer: at });
  return {
    mode: textMember(action, 'mode', pointer),
    timeout: optionalNumber(action, 'timeout', pointer) ?? null,
    response:
      response === null
        ? null
        : {
            contentType: optionalText(response, 'content_type', at) ?? '',
            body: optionalText(response, 'body', at) ?? '',
          },
  };
}
