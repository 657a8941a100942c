// The default password of the database URL: derived from the secrets, so that it persists across restarts.
import { hkdfSync } from 'node:crypto'
import type { Secrets } from '../shared/data-directory.ts'

export function databasePassword({ jwtSecret }: Pick<Secrets, 'jwtSecret'>): string {
  const bytes = hkdfSync('sha256', jwtSecret, '', 'chartroom database password', 24)
  return Buffer.from(bytes).toString('base64url')
}
