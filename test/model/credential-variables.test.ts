import { expect, test } from 'vitest';
import { isNamedLikeSecret, namesSecret } from '../../src/model/plain-secrets.ts';

test.each(
  [
    'ORIGIN_SECRET DEPLOY_TOKEN API_KEY APIKEY SSH_KEY db_password MYSQL_PASSWD KEY_FILE',
    'DATABASE_URL DB_URL REDIS_URL MONGODB_URI POSTGRES_URL_PROD DB_PASS PASS DB_PASS_2 MYSQL_PWD SENTRY_DSN',
    'SLACK_WEBHOOK SLACK_WEBHOOK_URL TEAMS_WEBHOOK_URI NPM_CONFIG__AUTH BASIC_AUTH AUTHORIZATION JWT ADMIN_JWT',
    'COOKIE SESSION SESSION_ID SESSIONID BEARER ORIGIN_BEARER GH_PAT TLS_PEM CONNECTION_STRING AZURE_CONNSTR',
  ]
    .join(' ')
    .split(' '),
)('takes %s for the name of a secret', (name) => {
  expect(isNamedLikeSecret(name)).toBe(true);
});

test.each(
  [
    'ORIGIN_HOST AUTHOR AUTHORS AUTH_HOST AUTH_DOMAIN OAUTH_ISSUER JWT_ISSUER JWT_AUDIENCE COOKIE_DOMAIN COOKIE_NAME SESSION_TTL',
    'PWD OLDPWD BYPASS PASS_RATE COMPASS PATH PATTERN KEYWORDS MONKEY KEYBOARD STAGE BASE_URL SITE_URL API_URL WEBHOOK_HOST DSNAME REGION',
    'COMMIT_SHA ZONE_ID OFFICE_RANGES SPAM_THRESHOLD OPEN PASSIVE OBSESSION',
  ]
    .join(' ')
    .split(' '),
)('takes %s for the name of an ordinary value', (name) => {
  expect(isNamedLikeSecret(name)).toBe(false);
});

test.each([
  ['origin_password apiKey tls_private_key database_url session', true],
  [
    'origin_host secret_header session_cookie token_path api_key_name token_limit password_fields cache_key',
    false,
  ],
])('judges what %s say of their own value', (names, isSecret) => {
  const wrong = names.split(' ').filter((name) => namesSecret(name) !== isSecret);
  expect(wrong).toEqual([]);
});
