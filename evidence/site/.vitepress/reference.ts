// The pages of the API reference, read once from the sources.
import { fileURLToPath } from 'node:url'
import { collectReference } from '../../../scripts/api-docs/collect.ts'
import { referencePages } from '../../../scripts/api-docs/reference.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export const reference = referencePages(collectReference(root))
