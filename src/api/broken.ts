import type { BreakReason, WireResult } from './dispatch.ts';

interface Meaning {
  readonly reason: BreakReason;
  readonly sent: boolean;
}

const NOT_CONNECTED: Meaning = { reason: 'unreachable', sent: false };
const NOT_RESOLVED: Meaning = { reason: 'unresolved', sent: false };
const NOT_TRUSTED: Meaning = { reason: 'tls', sent: false };
const NOT_LET_THROUGH: Meaning = { reason: 'proxy', sent: false };
const LOST: Meaning = { reason: 'lost', sent: true };
const TOO_LARGE: Meaning = { reason: 'too-large', sent: true };
const GARBLED: Meaning = { reason: 'garbled', sent: true };

/** Codes of the system, of TLS, of undici and of zlib. A code that is not here is taken as a connection that was lost. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ['ECONNREFUSED', NOT_CONNECTED],
  ['EHOSTUNREACH', NOT_CONNECTED],
  ['ENETUNREACH', NOT_CONNECTED],
  ['EADDRNOTAVAIL', NOT_CONNECTED],
  ['UND_ERR_CONNECT_TIMEOUT', NOT_CONNECTED],
  // What we stop ourselves is told before, so this comes from a proxy that opens no tunnel.
  ['UND_ERR_ABORTED', NOT_LET_THROUGH],
  ['ENOTFOUND', NOT_RESOLVED],
  ['EAI_AGAIN', NOT_RESOLVED],
  ['UND_ERR_PRX_TLS', NOT_TRUSTED],
  ['CERT_HAS_EXPIRED', NOT_TRUSTED],
  ['CERT_NOT_YET_VALID', NOT_TRUSTED],
  ['CERT_REVOKED', NOT_TRUSTED],
  ['CERT_UNTRUSTED', NOT_TRUSTED],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', NOT_TRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', NOT_TRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', NOT_TRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', NOT_TRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NOT_TRUSTED],
  ['ERR_TLS_CERT_ALTNAME_INVALID', NOT_TRUSTED],
  ['ERR_SSL_WRONG_VERSION_NUMBER', NOT_TRUSTED],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', NOT_TRUSTED],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', TOO_LARGE],
  ['ERR_BUFFER_TOO_LARGE', TOO_LARGE],
  ['Z_BUF_ERROR', GARBLED],
  ['Z_DATA_ERROR', GARBLED],
]);

/** What an error of the connection means: why, and whether the request may have reached the service. */
export function brokenBy(error: unknown): WireResult {
  const code = codeOf(error);
  const { reason, sent } = MEANINGS.get(code) ?? (isTls(code) ? { reason: 'tls', sent: true } : LOST);
  const detail = reason === 'proxy' ? statusOf(error) : code;
  return { kind: 'broken', reason, sent, detail: detail === '' ? 'the connection ended' : detail };
}

/** The status with which a proxy refused a tunnel, which the library says only in words. */
function statusOf(error: unknown): string {
  return error instanceof Error ? (/\b\d{3}\b/u.exec(error.message)?.[0] ?? '') : '';
}

/** Other TLS alerts can come after the request is sent (TLS 1.3). */
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
