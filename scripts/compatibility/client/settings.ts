// What runs on an original auth server, by the settings that the original must have.
import { PROFILES, SOCIAL_PROVIDERS, TEXT_MESSAGES } from '../compare/auth/profiles.ts'

export interface Settings {
  /** Environment variables of the original, next to its own database and URL. */
  readonly environment: Readonly<Record<string, string>>
  /** Test files that start the embedded backend with these settings. */
  readonly files: readonly string[]
  /** Whether the rows of docs/side-by-side.md and the chaos schedules run, too. */
  readonly hasRows?: boolean
}

/** The defaults of the embedded backend. */
const USUAL: Settings['environment'] = {
  ...PROFILES['open']?.original,
  GOTRUE_URI_ALLOW_LIST: ['localhost', '127.0.0.1']
    .flatMap(host => [`http://${host}:*`, `http://${host}:*/**`])
    .join(','),
  GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
  GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
  ...SOCIAL_PROVIDERS,
}

const CONFIRM: Settings['environment'] = { ...USUAL, GOTRUE_MAILER_AUTOCONFIRM: 'false' }

export const SETTINGS: Readonly<Record<string, Settings>> = {
  usual: {
    environment: USUAL,
    hasRows: true,
    files: [
      'tests/client/describe-failure.test.ts',
      'tests/client/facade-backend.test.ts',
      'tests/client/facade-channels.test.ts',
      'tests/client/ssr.test.ts',
      'tests/client/uploads/uploads.test.ts',
      'tests/scenarios/realtime-backend.test.ts',
      'tests/workbench/data-round-trip.test.ts',
      'tests/workbench/table/edits/import-undo.test.ts',
      'tests/browser/sign-in.test.ts',
      'tests/browser/lead-back.test.ts',
      'tests/browser/first-use.test.ts',
      'tests/browser/shell.test.ts',
      'tests/browser/seen-by.test.ts',
      'tests/browser/tabs.test.ts',
      'tests/browser/access.test.ts',
      'tests/browser/faults.test.ts',
      'tests/browser/hosted.test.ts',
      'tests/browser/data.test.ts',
      'tests/browser/voyage.test.ts',
      'tests/browser/calls.test.ts',
      'tests/browser/data-tools.test.ts',
      'tests/browser/files.test.ts',
      'tests/browser/work.test.ts',
    ],
  },
  confirm: { environment: CONFIRM, files: ['tests/client/client-session-backend.test.ts'] },
  sessions: {
    environment: {
      ...USUAL,
      GOTRUE_SESSIONS_SINGLE_PER_USER: 'true',
      // The tests move the clock beyond the usual interval; the original's clock cannot be moved.
      GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '0',
    },
    files: ['tests/client/client-session-reasons.test.ts', 'tests/scenarios/refused-refresh.test.ts'],
  },
  short: {
    environment: { ...USUAL, GOTRUE_JWT_EXP: '4' },
    files: ['tests/scenarios/client-on-backend.test.ts'],
  },
  account: {
    environment: {
      ...CONFIRM,
      GOTRUE_PASSWORD_REQUIRED_CHARACTERS: 'abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789',
      ...TEXT_MESSAGES,
      GOTRUE_SMS_TEST_OTP: '15551234567:123456',
    },
    files: ['tests/browser/account.test.ts'],
  },
}
