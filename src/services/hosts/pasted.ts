// An address and a key in one piece of text, as it is copied from a file of settings or from a dashboard.
import { readAddress } from './address.ts'
import { isSecretKey, readKey } from './api-key.ts'

export interface Pasted {
  readonly url?: string
  readonly key?: string
  /** Secret keys that stood there were left out. */
  readonly leftOut: boolean
}

const isKey = (text: string) => ['publishable', 'anon'].includes(readKey(text).kind)

/** What several lines hold; undefined for a single value, which belongs where it was pasted. */
export function readPasted(text: string): Pasted | undefined {
  const lines = text.split(/\r?\n|\s{2,}/).map(line => line.trim())
  const said = lines.filter(line => line !== '' && !line.startsWith('#'))
  if (said.length < 2) return undefined
  const keys = said.filter(isKey)
  const secrets = said.filter(isSecretKey)
  const urls = said.filter(line => !keys.includes(line) && !secrets.includes(line)).map(readAddress)
  // The API's own address says it better than that of a database beside it.
  const found = urls.find(one => one?.form === 'setting' || one?.form === 'url') ?? urls.find(Boolean)
  const key = keys[0] === undefined ? undefined : readKey(keys[0]).key
  if (!found && key === undefined) return undefined
  return { ...(found && { url: found.url }), ...(key !== undefined && { key }), leftOut: secrets.length > 0 }
}
