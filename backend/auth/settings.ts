// The settings of the auth service, named after config.toml's [auth] sections.

export interface AuthSettings {
  /** Target of links without an allowed redirect; defaults to the backend's own origin if empty. */
  readonly siteUrl: string
  readonly redirectUrls: readonly string[]
  /** Lifetime of an access token in seconds. */
  readonly jwtExpiry: number
  readonly enableSignup: boolean
  readonly enableAnonymousSignIns: boolean
  readonly enableManualLinking: boolean
  readonly minimumPasswordLength: number
  readonly passwordRequirements: PasswordRequirements
  /** The bcrypt cost of a password, as a power of two; 4 to 14. */
  readonly passwordCost: number
  /** Seconds in which a revoked refresh token may be used again. */
  readonly refreshTokenReuseInterval: number
  readonly enableRefreshTokenRotation: boolean
  readonly email: EmailSettings
  readonly sms: SmsSettings
  readonly sessions: SessionSettings
  readonly rateLimit: RateLimitSettings
  readonly mfa: MfaSettings
  readonly passkey: { readonly enabled: boolean }
  readonly webauthn: WebauthnSettings
  readonly oauthServer: OAuthServerSettings
  /** Sign-in with wallets. */
  readonly web3: {
    readonly solana: { readonly enabled: boolean }
    readonly ethereum: { readonly enabled: boolean }
  }
  /** Social providers by name. */
  readonly external: Readonly<Record<string, { readonly enabled: boolean }>>
}

export type PasswordRequirements =
  '' | 'letters_digits' | 'lower_upper_letters_digits' | 'lower_upper_letters_digits_symbols'

export interface EmailSettings {
  readonly enableSignup: boolean
  /** An email change also requires confirmation from the old address. */
  readonly doubleConfirmChanges: boolean
  readonly enableConfirmations: boolean
  /** A new password requires a recent sign-in or a nonce. */
  readonly securePasswordChange: boolean
  /** Minimum seconds between two emails to a user. */
  readonly maxFrequencySeconds: number
  readonly otpLength: number
  readonly otpExpirySeconds: number
}

export interface SmsSettings {
  readonly enableSignup: boolean
  readonly enableConfirmations: boolean
  /** Minimum seconds between two text messages to a user. */
  readonly maxFrequencySeconds: number
  /** Fixed codes by phone number. */
  readonly testOtp: Readonly<Record<string, string>>
}

/** Zero means no limit. */
export interface SessionSettings {
  readonly timeboxSeconds: number
  readonly inactivitySeconds: number
  readonly singlePerUser: boolean
  /** How long a session may stay at aal1 if its user has a verified factor. */
  readonly allowLowAalSeconds: number
}

/**
 * As in config.toml: emails and anonymous users per hour, others per 5 minutes; verifications are also
 * limited per address.
 */
export interface RateLimitSettings {
  readonly emailSent: number
  readonly smsSent: number
  readonly anonymousUsers: number
  readonly tokenRefresh: number
  readonly signInSignUps: number
  readonly tokenVerifications: number
  /** Starts of a sign-in with a passkey. */
  readonly passkey: number
  /** Sign-ins with wallets. */
  readonly web3: number
}

export interface MfaSettings {
  readonly maxEnrolledFactors: number
  readonly totp: FactorSettings
  readonly webAuthn: FactorSettings
}

export interface FactorSettings {
  readonly enrollEnabled: boolean
  readonly verifyEnabled: boolean
}

/** The relying party of passkeys and security keys; what is empty is taken from `siteUrl`. */
export interface WebauthnSettings {
  readonly rpDisplayName: string
  /** A domain without scheme and port. */
  readonly rpId: string
  readonly rpOrigins: readonly string[]
}

/** The server for sign-ins of other apps with this project's users. */
export interface OAuthServerSettings {
  readonly enabled: boolean
  readonly allowDynamicRegistration: boolean
}

/** The options of `startBackend({ auth })`: any part of the settings, including groups. */
export type AuthOptions = { readonly [K in keyof AuthSettings]?: Loose<AuthSettings[K]> }
type Loose<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [K in keyof T]?: Loose<T[K]> }
    : T

export const DEFAULT_PASSWORD_COST = 10

/** Defaults for a demo, as permissive as a local stack. */
function defaultAuthSettings(): AuthSettings {
  return {
    siteUrl: '',
    // Apps under development use any port of this machine; loopback addresses are always allowed.
    redirectUrls: ['http://localhost:*', 'http://localhost:*/**'],
    jwtExpiry: 3_600,
    enableSignup: true,
    enableAnonymousSignIns: true,
    enableManualLinking: true,
    minimumPasswordLength: 6,
    passwordRequirements: '',
    passwordCost: DEFAULT_PASSWORD_COST,
    refreshTokenReuseInterval: 10,
    enableRefreshTokenRotation: true,
    email: {
      enableSignup: true,
      doubleConfirmChanges: true,
      enableConfirmations: false,
      securePasswordChange: false,
      maxFrequencySeconds: 1,
      otpLength: 6,
      otpExpirySeconds: 3_600,
    },
    sms: { enableSignup: false, enableConfirmations: true, maxFrequencySeconds: 5, testOtp: {} },
    sessions: { timeboxSeconds: 0, inactivitySeconds: 0, singlePerUser: false, allowLowAalSeconds: 0 },
    // The local CLI's limits suit one person at a keyboard; a test suite sends more in five minutes.
    rateLimit: {
      emailSent: 1_000,
      smsSent: 30,
      anonymousUsers: 1_000,
      tokenRefresh: 1_500,
      signInSignUps: 1_500,
      // Applies per address, so the default is enough for a test suite too.
      tokenVerifications: 30,
      passkey: 1_500,
      web3: 1_500,
    },
    mfa: {
      maxEnrolledFactors: 10,
      totp: { enrollEnabled: true, verifyEnabled: true },
      webAuthn: { enrollEnabled: false, verifyEnabled: false },
    },
    passkey: { enabled: false },
    webauthn: { rpDisplayName: '', rpId: '', rpOrigins: [] },
    oauthServer: { enabled: false, allowDynamicRegistration: false },
    web3: { solana: { enabled: false }, ethereum: { enabled: false } },
    external: { google: { enabled: true }, github: { enabled: true } },
  }
}

/** Merges the given options into the defaults; the site is the backend itself unless another is given. */
export function authSettings(
  options: AuthOptions,
  backend: { readonly url: string; readonly jwtExpiry?: number | undefined },
): AuthSettings {
  const defaults = defaultAuthSettings()
  const { passwordCost = DEFAULT_PASSWORD_COST } = options
  if (!Number.isInteger(passwordCost) || passwordCost < 4 || passwordCost > 14)
    throw new RangeError(`passwordCost must be a whole number from 4 to 14, not ${passwordCost}.`)
  return {
    ...defaults,
    ...options,
    passwordCost,
    siteUrl: options.siteUrl || backend.url,
    jwtExpiry: backend.jwtExpiry ?? options.jwtExpiry ?? defaults.jwtExpiry,
    email: { ...defaults.email, ...options.email },
    sms: { ...defaults.sms, ...options.sms },
    sessions: { ...defaults.sessions, ...options.sessions },
    rateLimit: { ...defaults.rateLimit, ...options.rateLimit },
    mfa: {
      ...defaults.mfa,
      ...options.mfa,
      totp: { ...defaults.mfa.totp, ...options.mfa?.totp },
      webAuthn: { ...defaults.mfa.webAuthn, ...options.mfa?.webAuthn },
    },
    passkey: { ...defaults.passkey, ...options.passkey },
    webauthn: relyingParty(options.webauthn ?? {}, options.siteUrl || backend.url),
    oauthServer: { ...defaults.oauthServer, ...options.oauthServer },
    web3: {
      solana: { ...defaults.web3.solana, ...options.web3?.solana },
      ethereum: { ...defaults.web3.ethereum, ...options.web3?.ethereum },
    },
    // The given providers replace the default list.
    external: options.external ?? defaults.external,
  }
}

function relyingParty(options: Partial<WebauthnSettings>, siteUrl: string): WebauthnSettings {
  const site = URL.parse(siteUrl)
  return {
    rpDisplayName: options.rpDisplayName || (site?.host ?? ''),
    rpId: options.rpId || (site?.hostname ?? ''),
    rpOrigins: options.rpOrigins?.length ? options.rpOrigins : site ? [site.origin] : [],
  }
}
