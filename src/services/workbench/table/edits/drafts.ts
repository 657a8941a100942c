// Unsaved input, stored in the browser per user: it survives a reload or a lost session.
import { array, nullable, object, string, type InferOutput } from 'valibot'
import { isAnyKeyOf, named } from '../../storage/safe-record.ts'
import type { Edits } from './edits.ts'

const valuesSchema = named(nullable(string()))

export const draftsSchema = object({
  edits: array(object({ key: string(), row: isAnyKeyOf, values: valuesSchema })),
})

export type Drafts = InferOutput<typeof draftsSchema>

export const NO_DRAFTS: Drafts = { edits: [] }

/** The storage name; unique per user. */
export const draftsName = (url: string, user: string, schema: string, table: string): string =>
  `drafts.${url}.${user}.${schema}.${table}`

export const toDrafts = (edits: Edits): Drafts => ({
  edits: edits.map(({ key, row, values }) => ({ key, row, values: { ...values } })),
})

/** Restored drafts are never sent automatically: the user decides. */
export const FOUND = {
  message: 'Restored from before the page closed; it may not have been saved. Retry or discard it.',
  retry: false,
} as const
