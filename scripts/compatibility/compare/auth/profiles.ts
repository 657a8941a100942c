// Settings that both auth servers have in a comparison: ours as options, the original's as environment variables.
import type { AuthOptions } from '../../../../backend/auth/index.ts'
import { JWT_SECRET } from '../servers.ts'

export interface Profile {
  readonly ours: AuthOptions
  readonly original: Readonly<Record<string, string>>
}

const SITE = 'http://localhost:3000'
const REDIRECTS = ['http://localhost:3000/**', 'https://app.compare.test/*']
/** Test numbers, one for each conversation. */
export const PHONES = Array.from({ length: 80 }, (_, index) => String(15_550_000_101 + index))
/** Test numbers that conversations name. */
const NAMED_PHONES = ['15550000019', '15550000020']
const PHONE_CODE = '123456'
const TEST_CODES = [...PHONES, ...NAMED_PHONES].map(phone => [phone, PHONE_CODE] as const)

const NO_LIMITS = {
  emailSent: 100_000,
  smsSent: 100_000,
  anonymousUsers: 100_000,
  tokenRefresh: 100_000,
  signInSignUps: 100_000,
  tokenVerifications: 100_000,
  passkey: 100_000,
  web3: 100_000,
}

const MAIL_TYPES = ['INVITE', 'CONFIRMATION', 'RECOVERY', 'EMAIL_CHANGE', 'MAGIC_LINK', 'REAUTHENTICATION']

/** What all settings have. */
export const COMMON: Profile = {
  ours: { siteUrl: SITE, redirectUrls: REDIRECTS, rateLimit: NO_LIMITS, passwordCost: 4 },
  original: {
    GOTRUE_JWT_SECRET: JWT_SECRET,
    GOTRUE_JWT_AUD: 'authenticated',
    GOTRUE_JWT_DEFAULT_GROUP_NAME: 'authenticated',
    GOTRUE_SITE_URL: SITE,
    GOTRUE_URI_ALLOW_LIST: REDIRECTS.join(','),
    GOTRUE_SMTP_HOST: '127.0.0.1',
    GOTRUE_SMTP_PORT: '2500',
    GOTRUE_SMTP_ADMIN_EMAIL: 'admin@compare.test',
    // The sink reads the code from the subject.
    ...Object.fromEntries(
      MAIL_TYPES.map(type => [`GOTRUE_MAILER_SUBJECTS_${type}`, '{{ .Token }} is the code']),
    ),
    // On a busy machine a request may take longer than the usual ten seconds.
    GOTRUE_API_MAX_REQUEST_DURATION: '120s',
    GOTRUE_MAILER_OTP_EXP: '3600',
    GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '10',
    ...Object.fromEntries(
      ['EMAIL_SENT', 'SMS_SENT', 'VERIFY', 'TOKEN_REFRESH', 'ANONYMOUS_USERS', 'OTP', 'WEB3', 'PASSKEY'].map(
        name => [`GOTRUE_RATE_LIMIT_${name}`, '100000'],
      ),
    ),
  },
}

/** The original's social providers, which are enabled but not asked. */
export const SOCIAL_PROVIDERS: Profile['original'] = Object.fromEntries(
  ['GITHUB', 'GOOGLE'].flatMap(name => [
    [`GOTRUE_EXTERNAL_${name}_ENABLED`, 'true'],
    [`GOTRUE_EXTERNAL_${name}_CLIENT_ID`, 'compare'],
    [`GOTRUE_EXTERNAL_${name}_SECRET`, 'secret'],
    [`GOTRUE_EXTERNAL_${name}_REDIRECT_URI`, 'http://127.0.0.1:9999/callback'],
  ]),
)

/** Phone numbers are confirmed by codes; only test numbers have one, as nothing is sent. */
export const TEXT_MESSAGES: Profile['original'] = {
  GOTRUE_EXTERNAL_PHONE_ENABLED: 'true',
  GOTRUE_SMS_AUTOCONFIRM: 'false',
  GOTRUE_SMS_MAX_FREQUENCY: '1ms',
  GOTRUE_SMS_PROVIDER: 'twilio',
  GOTRUE_SMS_TWILIO_ACCOUNT_SID: 'none',
  GOTRUE_SMS_TWILIO_AUTH_TOKEN: 'none',
  GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: 'none',
}

/** `open`: users are confirmed at once, and every option is off. */
const OPEN: Profile = {
  ours: {
    ...COMMON.ours,
    enableAnonymousSignIns: false,
    enableManualLinking: false,
    email: { maxFrequencySeconds: 0 },
    external: {},
  },
  original: {
    ...COMMON.original,
    GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
    GOTRUE_MAILER_AUTOCONFIRM: 'true',
    GOTRUE_EXTERNAL_EMAIL_ENABLED: 'true',
    GOTRUE_EXTERNAL_PHONE_ENABLED: 'false',
  },
}

/** `confirm`: emails and numbers are confirmed, and every option is on. */
const CONFIRM: Profile = {
  ours: {
    ...COMMON.ours,
    enableAnonymousSignIns: true,
    enableManualLinking: true,
    email: { enableConfirmations: true, maxFrequencySeconds: 0 },
    sms: {
      enableSignup: true,
      enableConfirmations: true,
      maxFrequencySeconds: 0,
      testOtp: Object.fromEntries(TEST_CODES),
    },
    mfa: { webAuthn: { enrollEnabled: true, verifyEnabled: true } },
    passkey: { enabled: true },
    webauthn: { rpDisplayName: 'Compare', rpId: 'localhost', rpOrigins: [SITE] },
    oauthServer: { enabled: true, allowDynamicRegistration: true },
    web3: { solana: { enabled: true }, ethereum: { enabled: true } },
    external: { google: { enabled: true }, github: { enabled: true } },
  },
  original: {
    ...COMMON.original,
    GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
    GOTRUE_MAILER_AUTOCONFIRM: 'false',
    GOTRUE_EXTERNAL_EMAIL_ENABLED: 'true',
    GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
    GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
    ...TEXT_MESSAGES,
    GOTRUE_SMS_TEST_OTP: TEST_CODES.map(pair => pair.join(':')).join(','),
    GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED: 'true',
    GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED: 'true',
    GOTRUE_PASSKEY_ENABLED: 'true',
    GOTRUE_WEBAUTHN_RP_ID: 'localhost',
    GOTRUE_WEBAUTHN_RP_DISPLAY_NAME: 'Compare',
    GOTRUE_WEBAUTHN_RP_ORIGINS: SITE,
    GOTRUE_OAUTH_SERVER_ENABLED: 'true',
    GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true',
    GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: '/oauth/consent',
    GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: 'true',
    GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true',
    ...SOCIAL_PROVIDERS,
  },
}

/** `closed`: no sign-up, rare emails, and passwords with rules. */
const CLOSED: Profile = {
  ours: {
    ...OPEN.ours,
    enableSignup: false,
    minimumPasswordLength: 8,
    passwordRequirements: 'lower_upper_letters_digits',
    email: { enableConfirmations: true, maxFrequencySeconds: 60, securePasswordChange: true },
    sessions: { singlePerUser: true },
  },
  original: {
    ...OPEN.original,
    GOTRUE_DISABLE_SIGNUP: 'true',
    GOTRUE_PASSWORD_MIN_LENGTH: '8',
    GOTRUE_PASSWORD_REQUIRED_CHARACTERS: 'abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789',
    GOTRUE_MAILER_AUTOCONFIRM: 'false',
    GOTRUE_SMTP_MAX_FREQUENCY: '60s',
    GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'true',
    GOTRUE_SESSIONS_SINGLE_PER_USER: 'true',
  },
}

export const PROFILES: Readonly<Record<string, Profile>> = { open: OPEN, confirm: CONFIRM, closed: CLOSED }
