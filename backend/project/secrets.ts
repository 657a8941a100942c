// The secrets of `[db.vault]`, which the CLI stores before it runs migrations.
import type { Queries } from '../database/index.ts'

export async function storeSecrets(
  query: Queries['query'],
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, secret] of Object.entries(secrets)) {
    const [stored] = await query<{ id: string; is_same: boolean }>(
      'select id, decrypted_secret = $2 as is_same from vault.decrypted_secrets where name = $1',
      [name, secret],
    )
    if (!stored) await query('select vault.create_secret($1, $2)', [secret, name])
    else if (!stored.is_same) await query('select vault.update_secret($1, $2)', [stored.id, secret])
  }
}
