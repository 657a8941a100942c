// Reads the supported settings of a project's config.toml.
import { dirname } from 'node:path'
import type { JWK } from 'jose'
import type { AuthOptions, HookSettings, PasswordRequirements } from '../auth/index.ts'
import { readJwtSecret, readSigningKeys } from './keys.ts'
import type { EdgeFunctionsConfig } from '../functions/index.ts'
import { readFunctions } from './functions.ts'
import { readHooks } from './hooks.ts'
import { Settings, type Environment } from './toml.ts'

export interface ProjectConfig {
  readonly auth: AuthOptions
  readonly api: ApiConfig
  readonly signingKeys?: readonly JWK[]
  /** Verifies tokens, and signs them if there are no signing keys. */
  readonly jwtSecret?: string
  readonly buckets: readonly BucketConfig[]
  /** Secrets of the vault by their names. */
  readonly secrets: Readonly<Record<string, string>>
  /** The size of the largest file in bytes. */
  readonly fileSizeLimit: number
  readonly functions: EdgeFunctionsConfig
  readonly hooks: HookSettings
  /** Glob patterns of files to run once on a new database; `undefined` if seeding is off. */
  readonly seedPatterns: readonly string[] | undefined
  readonly runsMigrations: boolean
  /** Settings of the file that have no effect here. */
  readonly notHonored: readonly string[]
}

export interface ProjectOptions {
  /** Whether the project's auth hooks may be on other machines. */
  readonly allowsOutgoing?: boolean
}

export interface ApiConfig {
  readonly port?: number
  readonly schemas?: readonly string[]
  readonly extraSearchPath?: readonly string[]
  readonly maxRows?: number
  /** Whether the API's roles have access to new tables in `public` without GRANT. */
  readonly autoExposeNewTables?: boolean
}

export interface BucketConfig {
  readonly name: string
  readonly public?: boolean
  readonly fileSizeLimit?: number
  readonly allowedMimeTypes?: readonly string[]
}

/** The default of the CLI: 50 MiB. */
const DEFAULT_FILE_SIZE_LIMIT = 50 * 1024 ** 2

/** @throws ProjectError if the file is invalid */
export function readConfig(
  file: string,
  source: string,
  environment: Environment,
  { allowsOutgoing = false }: ProjectOptions = {},
): ProjectConfig {
  const settings = new Settings(file, source, environment)
  // A name for containers, which are not used, and settings that match this backend anyway.
  settings.pass(
    'project_id',
    'inbucket',
    'local_smtp',
    'db.major_version',
    'auth.enabled',
    'api.enabled',
    'realtime.enabled',
    'storage.enabled',
  )
  const signingKeys = readSigningKeys(file, settings)
  const fileSizeLimit = settings.bytes('storage.file_size_limit') ?? DEFAULT_FILE_SIZE_LIMIT
  const config = {
    auth: readAuth(settings),
    api: readApi(settings),
    ...definedValues({ signingKeys, jwtSecret: readJwtSecret(settings) }),
    buckets: settings.names('storage.buckets').map(name => readBucket(settings, name, fileSizeLimit)),
    secrets: readSecrets(settings),
    fileSizeLimit,
    functions: readFunctions(dirname(file), settings),
    hooks: readHooks(settings, allowsOutgoing),
    seedPatterns:
      settings.flag('db.seed.enabled') === false
        ? undefined
        : (settings.texts('db.seed.sql_paths') ?? ['./seed.sql']),
    runsMigrations: settings.flag('db.migrations.enabled') ?? true,
  }
  settings.pass('db.seed.sql_paths')
  return { ...config, notHonored: [...settings.unset(), ...settings.unusedKeys()] }
}

function readSecrets(settings: Settings): Record<string, string> {
  const names = settings.names('db.vault')
  return Object.fromEntries(
    names.flatMap(name => {
      const secret = settings.text(`db.vault.${name}`)
      return secret === undefined ? [] : [[name, secret]]
    }),
  )
}

/** Drops fields that the file does not set. */
function definedValues<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

function readApi(settings: Settings): ApiConfig {
  return definedValues({
    port: settings.integer('api.port', 65_535),
    schemas: settings.texts('api.schemas'),
    extraSearchPath: settings.texts('api.extra_search_path'),
    maxRows: settings.integer('api.max_rows'),
    autoExposeNewTables: settings.flag('api.auto_expose_new_tables'),
  })
}

/** Settings that are off by default in the CLI are also off here, whatever the demo's defaults are. */
function readAuth(settings: Settings): AuthOptions {
  return {
    ...definedValues({
      siteUrl: settings.text('auth.site_url'),
      redirectUrls: settings.texts('auth.additional_redirect_urls'),
      jwtExpiry: settings.integer('auth.jwt_expiry'),
      enableSignup: settings.flag('auth.enable_signup'),
      enableAnonymousSignIns: settings.flag('auth.enable_anonymous_sign_ins') ?? false,
      enableManualLinking: settings.flag('auth.enable_manual_linking') ?? false,
      minimumPasswordLength: settings.integer('auth.minimum_password_length'),
      passwordRequirements: passwordRequirements(settings),
      refreshTokenReuseInterval: settings.integer('auth.refresh_token_reuse_interval'),
      enableRefreshTokenRotation: settings.flag('auth.enable_refresh_token_rotation'),
    }),
    email: definedValues({
      enableSignup: settings.flag('auth.email.enable_signup'),
      doubleConfirmChanges: settings.flag('auth.email.double_confirm_changes'),
      enableConfirmations: settings.flag('auth.email.enable_confirmations'),
      securePasswordChange: settings.flag('auth.email.secure_password_change'),
      maxFrequencySeconds: settings.seconds('auth.email.max_frequency'),
      otpLength: settings.integer('auth.email.otp_length'),
      otpExpirySeconds: settings.integer('auth.email.otp_expiry'),
    }),
    ...readAuthGroups(settings),
  }
}

function readAuthGroups(settings: Settings): AuthOptions {
  const phones = settings.names('auth.sms.test_otp')
  const providers = settings.names('auth.external')
  return {
    sms: definedValues({
      enableSignup: settings.flag('auth.sms.enable_signup'),
      enableConfirmations: settings.flag('auth.sms.enable_confirmations'),
      maxFrequencySeconds: settings.seconds('auth.sms.max_frequency'),
      testOtp: Object.fromEntries(
        phones.flatMap(phone => {
          const code = settings.text(`auth.sms.test_otp.${phone}`)
          return code === undefined ? [] : [[phone, code] as const]
        }),
      ),
    }),
    sessions: definedValues({
      timeboxSeconds: settings.seconds('auth.sessions.timebox'),
      inactivitySeconds: settings.seconds('auth.sessions.inactivity_timeout'),
    }),
    rateLimit: definedValues({
      emailSent: settings.integer('auth.rate_limit.email_sent'),
      smsSent: settings.integer('auth.rate_limit.sms_sent'),
      anonymousUsers: settings.integer('auth.rate_limit.anonymous_users'),
      tokenRefresh: settings.integer('auth.rate_limit.token_refresh'),
      signInSignUps: settings.integer('auth.rate_limit.sign_in_sign_ups'),
      tokenVerifications: settings.integer('auth.rate_limit.token_verifications'),
      web3: settings.integer('auth.rate_limit.web3'),
    }),
    mfa: {
      ...definedValues({ maxEnrolledFactors: settings.integer('auth.mfa.max_enrolled_factors') }),
      totp: definedValues({
        enrollEnabled: settings.flag('auth.mfa.totp.enroll_enabled') ?? false,
        verifyEnabled: settings.flag('auth.mfa.totp.verify_enabled') ?? false,
      }),
      webAuthn: definedValues({
        enrollEnabled: settings.flag('auth.mfa.web_authn.enroll_enabled'),
        verifyEnabled: settings.flag('auth.mfa.web_authn.verify_enabled'),
      }),
    },
    ...readPasskeys(settings),
    oauthServer: definedValues({
      enabled: settings.flag('auth.oauth_server.enabled'),
      allowDynamicRegistration: settings.flag('auth.oauth_server.allow_dynamic_registration'),
    }),
    web3: {
      solana: definedValues({ enabled: settings.flag('auth.web3.solana.enabled') }),
      ethereum: definedValues({ enabled: settings.flag('auth.web3.ethereum.enabled') }),
    },
    external: Object.fromEntries(
      providers.map(name => [name, { enabled: settings.flag(`auth.external.${name}.enabled`) ?? false }]),
    ),
  }
}

/** @throws ProjectError if passkeys are enabled without a relying party, as the CLI */
function readPasskeys(settings: Settings): AuthOptions {
  const enabled = settings.flag('auth.passkey.enabled') ?? false
  const webauthn = definedValues({
    rpDisplayName: settings.text('auth.webauthn.rp_display_name'),
    rpId: settings.text('auth.webauthn.rp_id'),
    rpOrigins: settings.texts('auth.webauthn.rp_origins'),
  })
  if (enabled)
    settings.refuseUnset('auth.webauthn.rp_display_name', 'auth.webauthn.rp_id', 'auth.webauthn.rp_origins')
  if (enabled && (!webauthn.rpDisplayName || !webauthn.rpId || !webauthn.rpOrigins?.length))
    throw settings.error(
      'auth.passkey.enabled',
      'requires rp_display_name, rp_id and rp_origins in [auth.webauthn]',
    )
  return { passkey: { enabled }, webauthn }
}

const REQUIREMENTS: readonly PasswordRequirements[] = [
  '',
  'letters_digits',
  'lower_upper_letters_digits',
  'lower_upper_letters_digits_symbols',
]

function passwordRequirements(settings: Settings): PasswordRequirements | undefined {
  const path = 'auth.password_requirements'
  const setting = settings.text(path)
  const requirement = REQUIREMENTS.find(name => name === setting)
  if (setting !== undefined && requirement === undefined) {
    throw settings.error(path, `must be one of ${REQUIREMENTS.map(name => `"${name}"`).join(', ')}`)
  }
  return requirement
}

/** @throws ProjectError for a limit above that of all files, with which the CLI cannot create a bucket either */
function readBucket(settings: Settings, name: string, maxBytes: number): BucketConfig {
  const path = `storage.buckets.${name}`
  const fileSizeLimit = settings.bytes(`${path}.file_size_limit`)
  if (fileSizeLimit !== undefined && fileSizeLimit > maxBytes) {
    const global = `storage.file_size_limit (${maxBytes} bytes)`
    throw settings.error(`${path}.file_size_limit`, `must not be larger than ${global}`)
  }
  return {
    name,
    ...definedValues({
      public: settings.flag(`${path}.public`),
      fileSizeLimit,
      allowedMimeTypes: settings.texts(`${path}.allowed_mime_types`),
    }),
  }
}
