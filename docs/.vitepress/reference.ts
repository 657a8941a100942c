// The pages of the API reference, read once from the sources.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { collectReference } from '../../scripts/api-docs/collect.ts'
import { referencePages } from '../../scripts/api-docs/reference.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { homepage } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { readonly homepage: string }

export const reference = referencePages(collectReference(root), homepage)
