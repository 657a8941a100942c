// The well-known keys of a local stack, as printed by `supabase start`. They are public.
import type { Secrets } from '../shared/data-directory.ts'

/** The CLI's anonymous and service_role keys are tokens signed with this `jwtSecret`. */
export const CLI_KEYS: Pick<Secrets, 'publishableKey' | 'secretKey' | 'jwtSecret'> = {
  publishableKey: 'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH',
  secretKey: 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
  jwtSecret: 'super-secret-jwt-token-with-at-least-32-characters-long',
}
