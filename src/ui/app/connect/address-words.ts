// How a pasted address was read, where it was not the base URL itself, and whether it may be kept.
import { readAddress, readKey, type AddressForm, type HostAddress } from '../../../probe.ts'

const FORMS: Readonly<Record<Exclude<AddressForm, 'url'>, string>> = {
  path: 'the address of one of its endpoints',
  dashboard: 'the address of its dashboard',
  project: 'the reference of a project',
  database: 'a database address; it was not asked, and a password in it is not kept',
  studio: 'the address of its studio',
  socket: 'the address of its socket',
  setting: 'a line of settings',
}

/** A sentence; nothing for a plain base URL. */
export const addressWords = (address: HostAddress | undefined): string | undefined =>
  address === undefined || address.form === 'url'
    ? undefined
    : `Read as ${address.url}: this is ${FORMS[address.form]}.`

/** What was typed, unless it is no address of a host, or one that may hold a password. */
export const worthKeeping = (typed: string): string => {
  const form = readAddress(typed)?.form
  const isAddress = form !== undefined && form !== 'database' && readKey(typed).kind === 'unknown'
  return isAddress ? typed : ''
}

/** A key that whoever opens the page may have; anything else that was typed is kept nowhere. */
export const publicKey = (typed: string): string => {
  const { key, kind } = readKey(typed)
  return kind === 'publishable' || kind === 'anon' ? key : ''
}
