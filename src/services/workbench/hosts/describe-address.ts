// Reads pasted settings, and describes how an address was interpreted and whether it may be stored.
import { type AddressForm, type HostAddress, readAddress } from '../../runtime/index.ts'
import { readKey, isSecretKey } from './api-key.ts'

const FORMS: Readonly<Record<Exclude<AddressForm, 'url'>, string>> = {
  path: 'an endpoint URL',
  dashboard: 'a dashboard URL',
  project: 'a project reference',
  database: 'a database URL, which was not contacted; a password in it is not stored',
  studio: 'a Studio URL',
  socket: 'a WebSocket URL',
  setting: 'a settings line',
}

/** Returns a sentence; undefined for a plain base URL. */
export const describeAddress = (address: HostAddress | undefined): string | undefined =>
  address === undefined || address.form === 'url'
    ? undefined
    : `Using ${address.url}, taken from ${FORMS[address.form]}.`

/** Returns the typed text if it is safe to store: an address that can't contain a password or a key. */
export const worthKeeping = (text: string): string => {
  const form = readAddress(text)?.form
  const isAddress = form !== undefined && form !== 'database' && readKey(text).kind === 'unknown'
  return isAddress ? text : ''
}

/** Returns a key that may be public; an empty string for anything else, which is never stored. */
export const publicKey = (text: string): string => {
  const { key, kind } = readKey(text)
  return kind === 'publishable' || kind === 'anon' ? key : ''
}

interface Pasted {
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
  const bestUrl = urls.find(one => one?.form === 'setting' || one?.form === 'url') ?? urls.find(Boolean)
  const key = keys[0] === undefined ? undefined : readKey(keys[0]).key
  if (!bestUrl && key === undefined) return undefined
  return {
    ...(bestUrl && { url: bestUrl.url }),
    ...(key !== undefined && { key }),
    leftOut: secrets.length > 0,
  }
}
