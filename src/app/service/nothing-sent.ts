/** Codes of errors that come before the first request: there are no credentials, or none that a request can carry. */
export const NOTHING_SENT: ReadonlySet<string> = new Set(['app/no-credentials', 'api/bad-credentials']);
