// Extensions of the hosted service that the backend provides itself: scripts of SQL, with the backend's workers
// behind them.
import { CRON_SCRIPT } from './cron.ts'
import { HTTP_SCRIPT } from './http.ts'
import { NET_SCRIPT } from './net.ts'
import { VAULT_SCRIPT } from './vault.ts'

export { CRON_CHANNEL } from './cron.ts'
export { NET_CHANNEL, WEBHOOKS_SCRIPT } from './net.ts'
export { VAULT_KEY } from './vault.ts'

/** What `create extension` runs for each. */
export const SERVICE_EXTENSIONS: Readonly<Record<string, string>> = {
  http: HTTP_SCRIPT,
  pg_cron: CRON_SCRIPT,
  pg_net: NET_SCRIPT,
  supabase_vault: VAULT_SCRIPT,
}
