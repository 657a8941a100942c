// Importing `@chartroom/devtools/vitest` beside a Vitest that is too old fails with both versions.
import { expect, test } from 'vitest'
import { checkVitest } from '../../src/testing/vitest-version.ts'

test.each(['0.34.6', '3.2.4', '4.1.12'])('version %s is refused by name', version => {
  expect(() => checkVitest(version)).toThrow(
    `@chartroom/devtools/vitest needs Vitest 5 or newer, but version ${version} is installed. Update it with "npm install --save-dev vitest@5".`,
  )
})

test.each(['5.0.0', '5.1.1', '10.0.0-beta.1'])('version %s is accepted', version => {
  expect(() => checkVitest(version)).not.toThrow()
})
