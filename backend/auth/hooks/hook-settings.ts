// Auth hooks: code of the project that auth calls at certain points, by HTTP or as a function of the database.

export const HOOK_NAMES = [
  'before_user_created',
  'custom_access_token',
  'mfa_verification_attempt',
  'password_verification_attempt',
  'send_email',
  'send_sms',
] as const

export type HookName = (typeof HOOK_NAMES)[number]

export type HookTarget =
  | {
      /** A URL that gets a signed POST request. */
      readonly url: string
      /** Base64 without the prefix `v1,whsec_`; each makes a signature. */
      readonly secrets: readonly string[]
    }
  | { readonly schema: string; readonly function: string }

export type HookSettings = { readonly [Name in HookName]?: HookTarget }

/** The target in the format of config.toml. */
export function uriOf(target: HookTarget): string {
  return 'url' in target ? target.url : `pg-functions://postgres/${target.schema}/${target.function}`
}
