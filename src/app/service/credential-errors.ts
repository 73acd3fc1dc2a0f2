/** Codes of errors before the first request: credentials are missing or malformed. */
export const CREDENTIAL_ERRORS: ReadonlySet<string> = new Set(['app/no-credentials', 'api/bad-credentials']);
