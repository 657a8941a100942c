// Whether somebody was signed in here before: what is fetched beside the client goes by it, and nothing else does.
import { array, nullable, object, unknown } from 'valibot'
import { readSetting, settingNames } from './local-store.ts'

/** As much of a book of accounts as tells whether somebody is in it. */
const books = object({ slots: array(object({ user: nullable(unknown()) })) })

/** @param hash of the page's address, which may carry a session. */
export const wasSignedIn = (hash: string): boolean =>
  hash.includes('access_token=') ||
  settingNames().some(
    name =>
      name.startsWith('accounts.') &&
      readSetting(name, books, { slots: [] }).slots.some(({ user }) => user !== null),
  )
