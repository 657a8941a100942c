// Small texts that are for one tab alone and outlive its page; never a session, never a secret.

const keyOf = (name: string) => `chartroom.ui.${name}`

/** What the storage did not take, being closed or full; here it is there as long as the page. */
const inPage = new Map<string, string>()

/** The text, or null when there is none. */
export const readInTab = (name: string): string | null => {
  const text = inPage.get(keyOf(name))
  if (text !== undefined) return text
  try {
    return sessionStorage.getItem(keyOf(name))
  } catch {
    return null
  }
}

/** Keeps a text, null for none; a closed or full storage only means that it is forgotten on reload. */
export const writeInTab = (name: string, text: string | null): void => {
  inPage.delete(keyOf(name))
  try {
    if (text === null) sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), text)
  } catch {
    if (text !== null) inPage.set(keyOf(name), text)
  }
}

/** Takes out of the tab's storage whatever `isOne` says yes to, by its whole name. */
export const forgetInTab = (isOne: (key: string) => boolean): void => {
  for (const key of inPage.keys()) if (isOne(key)) inPage.delete(key)
  try {
    for (const key of Object.keys(sessionStorage)) if (isOne(key)) sessionStorage.removeItem(key)
  } catch {
    return
  }
}
