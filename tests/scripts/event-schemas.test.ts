// Schemas of the client's events that the console's forms are made of: as the types are now.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { schemasFile, schemasText } from '../../scripts/event-schemas.ts'

test('they are fresh (npm run docs makes them so)', async () => {
  expect(await readFile(schemasFile, 'utf8')).toBe(schemasText())
})
