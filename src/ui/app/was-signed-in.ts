// Whether a user was signed in here before; only decides which code is preloaded.
import { array, nullable, object, unknown } from 'valibot'
import { readSetting, settingNames } from '../../services/workbench/storage/index.ts'

/** The part of an account list that shows whether it has a signed-in user. */
const books = object({ slots: array(object({ user: nullable(unknown()) })) })

/** @param search query of the page's URL, which may carry a sign-in code */
export const wasSignedIn = (search: string): boolean =>
  new URLSearchParams(search).has('code') ||
  settingNames().some(
    name =>
      name.startsWith('accounts.') &&
      readSetting(name, books, { slots: [] }).slots.some(({ user }) => user !== null),
  )
