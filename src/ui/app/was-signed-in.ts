// Whether somebody was signed in here before: what is fetched beside the client goes by it, and nothing else does.
import { array, nullable, object, unknown } from 'valibot'
import { readSetting, settingNames } from './local-store.ts'

/** As much of a book of accounts as tells whether somebody is in it. */
const books = object({ slots: array(object({ user: nullable(unknown()) })) })

/** @param search query of the page's address, which may carry the code of a sign-in */
export const wasSignedIn = (search: string): boolean =>
  new URLSearchParams(search).has('code') ||
  settingNames().some(
    name =>
      name.startsWith('accounts.') &&
      readSetting(name, books, { slots: [] }).slots.some(({ user }) => user !== null),
  )
