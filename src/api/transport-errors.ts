import type { FailureReason, WireResult } from './request.ts';

interface Classification {
  readonly reason: FailureReason;
  readonly sent: boolean;
}

const UNREACHABLE: Classification = { reason: 'unreachable', sent: false };
const UNRESOLVED: Classification = { reason: 'unresolved', sent: false };
const UNTRUSTED: Classification = { reason: 'tls', sent: false };
const PROXY_REFUSED: Classification = { reason: 'proxy', sent: false };
const LOST: Classification = { reason: 'lost', sent: true };
const TOO_LARGE: Classification = { reason: 'too-large', sent: true };
const CORRUPT_BODY: Classification = { reason: 'corrupt-body', sent: true };

/** Error codes of the system, TLS, undici and zlib. Any other code counts as a lost connection. */
const CLASSIFICATIONS: ReadonlyMap<string, Classification> = new Map([
  ['ECONNREFUSED', UNREACHABLE],
  ['EHOSTUNREACH', UNREACHABLE],
  ['ENETUNREACH', UNREACHABLE],
  ['EADDRNOTAVAIL', UNREACHABLE],
  ['UND_ERR_CONNECT_TIMEOUT', UNREACHABLE],
  // Aborts by this program are settled before they get here, so this comes from a proxy that refuses CONNECT.
  ['UND_ERR_ABORTED', PROXY_REFUSED],
  ['ENOTFOUND', UNRESOLVED],
  ['EAI_AGAIN', UNRESOLVED],
  ['UND_ERR_PRX_TLS', UNTRUSTED],
  ['CERT_HAS_EXPIRED', UNTRUSTED],
  ['CERT_NOT_YET_VALID', UNTRUSTED],
  ['CERT_REVOKED', UNTRUSTED],
  ['CERT_UNTRUSTED', UNTRUSTED],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['ERR_TLS_CERT_ALTNAME_INVALID', UNTRUSTED],
  ['ERR_SSL_WRONG_VERSION_NUMBER', UNTRUSTED],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', UNTRUSTED],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', TOO_LARGE],
  ['ERR_BUFFER_TOO_LARGE', TOO_LARGE],
  ['Z_BUF_ERROR', CORRUPT_BODY],
  ['Z_DATA_ERROR', CORRUPT_BODY],
]);

/** Classifies an error of the transport: the reason, and whether the request may have reached the service. */
export function transportFailure(error: unknown): WireResult {
  const code = codeOf(error);
  const { reason, sent } = CLASSIFICATIONS.get(code) ?? (isTls(code) ? { reason: 'tls', sent: true } : LOST);
  const detail = reason === 'proxy' ? statusOf(error) : code;
  return { kind: 'broken', reason, sent, detail: detail === '' ? 'the connection ended' : detail };
}

/** Returns the status with which a proxy refused CONNECT; undici gives it only in the message. */
function statusOf(error: unknown): string {
  return error instanceof Error ? (/\b\d{3}\b/u.exec(error.message)?.[0] ?? '') : '';
}

/** Whether a code is another TLS error; these can come after the request is sent (TLS 1.3). */
function isTls(code: string): boolean {
  return code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_');
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return '';
  }
  if ('code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause);
}
