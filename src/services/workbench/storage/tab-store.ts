// Small texts of one tab that survive a reload; never a session or a secret.

const keyOf = (name: string) => `chartroom.ui.${name}`

/** Values that could not be stored because storage is inaccessible or full; kept until the page unloads. */
const inPage = new Map<string, string>()

/** The text, or null if there is none. */
export const readInTab = (name: string): string | null => {
  const text = inPage.get(keyOf(name))
  if (text !== undefined) return text
  try {
    return sessionStorage.getItem(keyOf(name))
  } catch {
    return null
  }
}

/** Stores a text, or removes it if null; with inaccessible or full storage it is lost on reload. */
export const writeInTab = (name: string, text: string | null): void => {
  inPage.delete(keyOf(name))
  try {
    if (text === null) sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), text)
  } catch {
    if (text !== null) inPage.set(keyOf(name), text)
  }
}

/** Removes all sessionStorage entries whose full key matches `isOne`. */
export const forgetInTab = (isOne: (key: string) => boolean): void => {
  for (const key of inPage.keys()) if (isOne(key)) inPage.delete(key)
  try {
    for (const key of Object.keys(sessionStorage)) if (isOne(key)) sessionStorage.removeItem(key)
  } catch {
    return
  }
}
