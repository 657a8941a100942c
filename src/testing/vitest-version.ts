// Refuses a Vitest that is too old, when `@chartroom/devtools/vitest` is imported. Its other modules load after this one,
// since some of them would fail in an old version with an error that names neither.
import { createRequire } from 'node:module'

/** The oldest major version whose matcher types and fixtures are those used here. */
const OLDEST = 5

/** @throws Error with both versions and the command that updates Vitest */
export function checkVitest(version: string): void {
  if (Number.parseInt(version) >= OLDEST) return
  throw new Error(
    `@chartroom/devtools/vitest needs Vitest ${OLDEST} or newer, but version ${version} is installed. ` +
      `Update it with "npm install --save-dev vitest@${OLDEST}". The other entries work without Vitest.`,
  )
}

const { version } = createRequire(import.meta.url)('vitest/package.json') as { readonly version: string }
checkVitest(version)
