// Parses the list of passkeys of an auth server.
import { fallback, object, optional, string, type InferOutput } from 'valibot'
import { readList } from '../storage/read-list.ts'

const text = fallback(optional(string()), undefined)
const passkey = object({ id: string(), friendly_name: text, created_at: text, last_used_at: text })

export type Passkey = InferOutput<typeof passkey>

/** Drops entries that do not match the schema. */
export const readPasskeys = (answer: unknown): readonly Passkey[] => readList(passkey, answer) ?? []

/** Not every authenticator provides a name. */
export const passkeyName = ({ friendly_name: name = '' }: Passkey): string =>
  name.trim() === '' ? 'Passkey' : name
