// The requests of the official client's own suites, sent to the embedded backend and to an original at once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { startBackend } from '../../../backend/index.ts'
import { runJest, type TestOutcome } from '../jest.ts'
import { API_PORT } from '../suites.ts'
import { COMMON, SOCIAL_PROVIDERS, TEXT_MESSAGES } from './auth/profiles.ts'
import { AUTH_HEADERS } from './auth/index.ts'
import { withMirror } from './mirror.ts'
import type { Comparison } from './run.ts'
import { STORAGE } from './storage/index.ts'

export type TrafficSuite = 'auth-js' | 'storage-js'

const SUITES = {
  'auth-js': { service: '/auth/v1', args: ['--config', 'jest.config.cli.js'], headers: AUTH_HEADERS },
  'storage-js': { service: '/storage/v1', args: [], headers: STORAGE.headers },
} as const

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
    ...COMMON.original,
    ...SOCIAL_PROVIDERS,
    ...TEXT_MESSAGES,
    GOTRUE_JWT_KEYS: JSON.stringify(JSON.parse(keys)),
    GOTRUE_JWT_VALID_METHODS: 'HS256,RS256,ES256',
    GOTRUE_JWT_EXP: '3600',
    GOTRUE_SITE_URL: 'http://127.0.0.1:3000',
    GOTRUE_URI_ALLOW_LIST: 'https://127.0.0.1:3000,http://localhost:5173',
    GOTRUE_SMTP_MAX_FREQUENCY: '1s',
    GOTRUE_MAILER_AUTOCONFIRM: 'true',
    GOTRUE_EXTERNAL_EMAIL_ENABLED: 'true',
    GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    GOTRUE_SMS_AUTOCONFIRM: 'true',
    GOTRUE_SMS_MAX_FREQUENCY: '1s',
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
  }
}
