// The event schemas for the console's forms match the current types.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { schemasFile, schemasText } from '../../scripts/event-schemas.ts'

test('are up to date (run npm run docs to regenerate)', async () => {
  expect(await readFile(schemasFile, 'utf8')).toBe(schemasText())
})
