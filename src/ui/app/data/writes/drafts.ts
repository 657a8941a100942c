// What was typed and is not saved yet, kept in the browser for its user: a reload or a lost session loses nothing of it.
import { array, nullable, number, object, string, type InferOutput } from 'valibot'
import { anyNamed, named } from '../../named.ts'
import { NO_EDITS, type Edit, type Edits } from './edits.ts'

const valuesSchema = named(nullable(string()))

export const draftsSchema = object({
  edits: array(object({ id: number(), key: string(), row: anyNamed, values: valuesSchema })),
})

export type Drafts = InferOutput<typeof draftsSchema>

export const NO_DRAFTS: Drafts = { edits: [] }

/** The name under which they are kept; no two users share one. */
export const draftsName = (url: string, user: string, schema: string, table: string): string =>
  `drafts.${url}.${user}.${schema}.${table}`

export const toDrafts = ({ list }: Edits): Drafts => ({
  edits: list.map(({ id, key, row, values }) => ({ id, key, row, values: { ...values } })),
})

const LEFT = {
  message: 'This was typed before the page was left, and perhaps not saved. Save it now, or let it go.',
  retry: false,
}

/** Nothing is sent by itself of what was found: its user decides. */
export const fromDrafts = ({ edits }: Drafts): Edits => ({
  list: edits.map((edit): Edit => ({ ...edit, state: { at: 'refused', failure: LEFT } })),
  next: Math.max(NO_EDITS.next, ...edits.map(edit => edit.id + 1)),
})
