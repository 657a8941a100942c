// What was typed and is not saved yet, kept in the browser for its user: a reload or a lost session loses nothing of it.
import { array, nullable, object, string, type InferOutput } from 'valibot'
import { anyNamed, named } from '../../named.ts'
import type { Edits } from './edits.ts'

const valuesSchema = named(nullable(string()))

export const draftsSchema = object({
  edits: array(object({ key: string(), row: anyNamed, values: valuesSchema })),
})

export type Drafts = InferOutput<typeof draftsSchema>

export const NO_DRAFTS: Drafts = { edits: [] }

/** The name under which they are kept; no two users share one. */
export const draftsName = (url: string, user: string, schema: string, table: string): string =>
  `drafts.${url}.${user}.${schema}.${table}`

export const toDrafts = (edits: Edits): Drafts => ({
  edits: edits.map(({ key, row, values }) => ({ key, row, values: { ...values } })),
})

/** Nothing is sent by itself of what was found: its user decides. */
export const FOUND = {
  message: 'This was typed before the page was left, and perhaps not saved. Save it now, or let it go.',
  retry: false,
} as const
