// The engine of the backends that tests start: PGlite, or a PostgreSQL server under `npm run test:deep`.
import { test } from 'vitest'

export const isOnServer = process.env['CHARTROOM_ENGINE'] === 'postgres'

/** A `test` of PGlite itself, or of something that a server does not have. */
export const testOnPglite = isOnServer ? test.skip : test
