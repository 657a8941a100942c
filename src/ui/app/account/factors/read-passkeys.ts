// Passkeys as a host lists them.
import { fallback, object, optional, string, type InferOutput } from 'valibot'
import { readList } from '../../read-list.ts'

const text = fallback(optional(string()), undefined)
const passkey = object({ id: string(), friendly_name: text, created_at: text, last_used_at: text })

export type Passkey = InferOutput<typeof passkey>

/** Those that are what they should be. */
export const readPasskeys = (answer: unknown): readonly Passkey[] => readList(passkey, answer) ?? []

/** Authenticators name themselves; some do not. */
export const passkeyName = ({ friendly_name: name = '' }: Passkey): string =>
  name.trim() === '' ? 'Passkey' : name
