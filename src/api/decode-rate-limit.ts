import type { Members, Place } from './shape.ts';
import {
  decodeItems,
  flagOr,
  memberAt,
  membersAt,
  numberMember,
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
export function decodeRateLimit(limit: Members): RateLimit {
  return {
    id: textMember(limit, 'id'),
    disabled: flagOr(limit, 'disabled', false),
    description: optionalText(limit, 'description') ?? '',
    threshold: numberMember(limit, 'threshold'),
    period: numberMember(limit, 'period'),
    ...decodeMatch(optionalObject(limit, 'match')),
    bypassUrls: decodeItems(limit, 'bypass', (bypass) => textMember(bypass, 'value')),
    action: decodeAction(membersAt(memberAt(limit, 'action'))),
    correlateBy: optionalText(optionalObject(limit, 'correlate'), 'by') ?? null,
    wire: limit.object,
  };
}

function decodeMatch(match: Members): Pick<RateLimit, 'request' | 'response'> {
  const request = optionalObject(match, 'request');
  const response = optionalObject(match, 'response');
  return {
    request: {
      methods: optionalTexts(request, 'methods'),
      schemes: optionalTexts(request, 'schemes'),
      url: optionalText(request, 'url') ?? '',
    },
    response: {
      statuses: optionalItems(response, 'status').map(decodeStatus),
      originTraffic: flagOr(response, 'origin_traffic', true),
      // The newest schema has the headers one level higher.
      headers: [response, match].flatMap((holder) => decodeItems(holder, 'headers', decodeHeader)),
    },
  };
}

function decodeStatus({ value, pointer }: Place): number {
  if (typeof value !== 'number') {
    throw unexpected(pointer, 'should be a number');
  }
  return value;
}

function decodeHeader(header: Members): OldRateLimit['response']['headers'][number] {
  return {
    name: textMember(header, 'name'),
    op: textMember(header, 'op'),
    value: optionalText(header, 'value') ?? '',
  };
}

function decodeAction(action: Members): RateLimit['action'] {
  const given = memberAt(action, 'response');
  const response = (given.value ?? null) === null ? null : membersAt(given);
  return {
    mode: textMember(action, 'mode'),
    timeout: optionalNumber(action, 'timeout') ?? null,
    response:
      response === null
        ? null
        : {
            contentType: optionalText(response, 'content_type') ?? '',
            body: optionalText(response, 'body') ?? '',
          },
  };
}
