// `npm ci` ends with this: the demo's database is made ahead, so that the first start only copies it.
import { startBackend } from '../backend/index.ts'

try {
  await (await startBackend({ data: 'memory' })).stop()
} catch (error) {
  // A start makes up for it; an installation must not fail for it.
  console.error(`The demo's database could not be prepared: ${String(error)}`)
}
