// Values that a tab keeps across reloads.

/** A value by its name; pages that may not use storage keep nothing. */
export interface TabValue {
  readonly read: () => string | undefined
  readonly write: (value: string) => void
}

/** Stores a value in the session storage of the tab. */
export function tabStorage(name: string): TabValue {
  const key = `chartroom.console.${name}`
  return {
    read() {
      try {
        return window.sessionStorage.getItem(key) ?? undefined
      } catch {
        return undefined
      }
    },
    write(value) {
      try {
        window.sessionStorage.setItem(key, value)
      } catch {
        // The next page starts with the defaults.
      }
    },
  }
}
