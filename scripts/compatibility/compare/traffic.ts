// The requests of the official client's own suites, sent to the embedded backend and to an original at once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { startBackend } from '../../../backend/index.ts'
import { runJest, type TestOutcome } from '../jest.ts'
import { SOCIAL_PROVIDERS } from './auth/profiles.ts'
import { AUTH_HEADERS } from './auth/index.ts'
import { withMirror } from './mirror.ts'
import type { Comparison } from './run.ts'
import { JWT_SECRET } from './servers.ts'
import { STORAGE } from './storage/index.ts'

export type TrafficSuite = 'auth-js' | 'storage-js'

const SUITES = {
  'auth-js': { service: '/auth/v1', args: ['--config', 'jest.config.cli.js'], headers: AUTH_HEADERS },
  'storage-js': { service: '/storage/v1', args: [], headers: STORAGE.headers },
} as const

/** Both suites expect the API there. */
const API_PORT = 54_321

export interface Traffic {
  readonly comparison: Comparison
  readonly tests: readonly TestOutcome[]
}

/**
 * Runs a suite against the embedded backend.
 * @param checkout the folder of supabase/supabase-js, with its packages built
 * @param theirs the URL of the original
 */
export async function compareTraffic(
  suite: TrafficSuite,
  checkout: string,
  theirs: string,
): Promise<Traffic> {
  const { service, args, headers } = SUITES[suite]
  const folder = folderOf(suite, checkout)
  const project = join(folder, 'test')
  const backend = await startBackend({
    data: 'memory',
    keys: 'cli',
    autoExposeNewTables: true,
    project,
    port: 0,
  })
  try {
    const options = { port: API_PORT, ours: backend.url, service, theirs, headers, name: suite }
    const { result, comparison } = await withMirror(options, () => runJest(folder, args))
    return { comparison, tests: result }
  } finally {
    await backend.stop()
  }
}

function folderOf(suite: TrafficSuite, checkout: string): string {
  return join(checkout, 'packages/core', suite)
}

/** The rows that storage-js expects, without its users, who are not the storage server's. */
export async function seedStorage(checkout: string, databaseUrl: string): Promise<void> {
  const seed = readFileSync(join(folderOf('storage-js', checkout), 'test/supabase/seed.sql'), 'utf8')
  const statements = seed.replaceAll(/insert into auth\.users[^;]*;/gi, '')
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    await sql.unsafe(statements)
  } finally {
    await sql.end()
  }
}

/** The environment of an original auth server with the settings of auth-js's project. */
export function authEnvironment(checkout: string): Readonly<Record<string, string>> {
  const keys = readFileSync(join(folderOf('auth-js', checkout), 'test/supabase/signing_keys.json'), 'utf8')
  return {
    GOTRUE_JWT_SECRET: JWT_SECRET,
    GOTRUE_JWT_KEYS: JSON.stringify(JSON.parse(keys)),
    GOTRUE_JWT_VALID_METHODS: 'HS256,RS256,ES256',
    GOTRUE_JWT_AUD: 'authenticated',
    GOTRUE_JWT_DEFAULT_GROUP_NAME: 'authenticated',
    GOTRUE_JWT_EXP: '3600',
    GOTRUE_SITE_URL: 'http://127.0.0.1:3000',
    GOTRUE_URI_ALLOW_LIST: 'https://127.0.0.1:3000,http://localhost:5173',
    GOTRUE_SMTP_HOST: '127.0.0.1',
    GOTRUE_SMTP_PORT: '2500',
    GOTRUE_SMTP_ADMIN_EMAIL: 'admin@compare.test',
    GOTRUE_SMTP_MAX_FREQUENCY: '1s',
    GOTRUE_API_MAX_REQUEST_DURATION: '120s',
    GOTRUE_MAILER_AUTOCONFIRM: 'true',
    GOTRUE_MAILER_OTP_EXP: '3600',
    GOTRUE_EXTERNAL_EMAIL_ENABLED: 'true',
    GOTRUE_EXTERNAL_PHONE_ENABLED: 'true',
    GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '10',
    GOTRUE_SMS_AUTOCONFIRM: 'true',
    GOTRUE_SMS_MAX_FREQUENCY: '1s',
    GOTRUE_SMS_PROVIDER: 'twilio',
    GOTRUE_SMS_TWILIO_ACCOUNT_SID: 'none',
    GOTRUE_SMS_TWILIO_AUTH_TOKEN: 'none',
    GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: 'none',
    GOTRUE_SMS_TEST_OTP: '1234567890:123456',
    GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
    GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
    GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED: 'true',
    GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED: 'true',
    GOTRUE_PASSKEY_ENABLED: 'true',
    GOTRUE_WEBAUTHN_RP_ID: 'localhost',
    GOTRUE_WEBAUTHN_RP_DISPLAY_NAME: 'auth-js tests',
    GOTRUE_WEBAUTHN_RP_ORIGINS: 'http://localhost:5173',
    GOTRUE_OAUTH_SERVER_ENABLED: 'true',
    GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true',
    GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: '/oauth/consent',
    ...SOCIAL_PROVIDERS,
  }
}
