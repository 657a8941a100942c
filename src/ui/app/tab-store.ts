// Small texts that are for one tab alone and outlive its page; never a session, never a secret.

const keyOf = (name: string) => `chartroom.ui.${name}`

/** The text, or null when there is none or the storage is closed to us. */
export const readInTab = (name: string): string | null => {
  try {
    return sessionStorage.getItem(keyOf(name))
  } catch {
    return null
  }
}

/** Keeps a text, null for none; a closed or full storage only means that it is forgotten on reload. */
export const writeInTab = (name: string, text: string | null): void => {
  try {
    if (text === null) sessionStorage.removeItem(keyOf(name))
    else sessionStorage.setItem(keyOf(name), text)
  } catch {
    return
  }
}

/** Takes out of the tab's storage whatever `isOne` says yes to, by its whole name. */
export const forgetInTab = (isOne: (key: string) => boolean): void => {
  try {
    for (const key of Object.keys(sessionStorage)) if (isOne(key)) sessionStorage.removeItem(key)
  } catch {
    return
  }
}
