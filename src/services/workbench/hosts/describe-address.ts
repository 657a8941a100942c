// Describes how a pasted address was interpreted, and whether it may be stored.
import { type AddressForm, type HostAddress, readAddress } from './address.ts'
import { readKey } from './api-key.ts'

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
export const worthKeeping = (typed: string): string => {
  const form = readAddress(typed)?.form
  const isAddress = form !== undefined && form !== 'database' && readKey(typed).kind === 'unknown'
  return isAddress ? typed : ''
}

/** Returns a key that may be public; an empty string for anything else, which is never stored. */
export const publicKey = (typed: string): string => {
  const { key, kind } = readKey(typed)
  return kind === 'publishable' || kind === 'anon' ? key : ''
}
