// Extracts a URL and a key from pasted text, e.g. from a settings file or a dashboard.
import { readAddress } from './address.ts'
import { isSecretKey, readKey } from './api-key.ts'

export interface Pasted {
  readonly url?: string
  readonly key?: string
  /** Whether secret keys were found and removed. */
  readonly leftOut: boolean
}

const isKey = (text: string) => ['publishable', 'anon'].includes(readKey(text).kind)

/** Parses several lines; undefined for a single value, which belongs in the field where it was pasted. */
export function readPasted(text: string): Pasted | undefined {
  const lines = text.split(/\r?\n|\s{2,}/).map(line => line.trim())
  const contentLines = lines.filter(line => line !== '' && !line.startsWith('#'))
  if (contentLines.length < 2) return undefined
  const keys = contentLines.filter(isKey)
  const secrets = contentLines.filter(isSecretKey)
  const urls = contentLines.filter(line => !keys.includes(line) && !secrets.includes(line)).map(readAddress)
  // Prefer the API's own URL over that of a database.
  const found = urls.find(one => one?.form === 'setting' || one?.form === 'url') ?? urls.find(Boolean)
  const key = keys[0] === undefined ? undefined : readKey(keys[0]).key
  if (!found && key === undefined) return undefined
  return { ...(found && { url: found.url }), ...(key !== undefined && { key }), leftOut: secrets.length > 0 }
}
