// The password of the database URL, unless one is given: it comes from the secrets, so it outlives a restart.
import { hkdfSync } from 'node:crypto'
import type { Secrets } from '../data-directory.ts'

export function databasePassword({ jwtSecret }: Pick<Secrets, 'jwtSecret'>): string {
  const bytes = hkdfSync('sha256', jwtSecret, '', 'chartroom database password', 24)
  return Buffer.from(bytes).toString('base64url')
}
