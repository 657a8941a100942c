// Small workbench settings in localStorage; never a session or a secret.
import { parse, safeParse, string, type BaseIssue, type BaseSchema } from 'valibot'

type Schema<T> = BaseSchema<unknown, T, BaseIssue<unknown>>

/** Returns the stored value, or the fallback if it is missing or invalid, or storage is not accessible. */
export const readSetting = <T>(name: string, schema: Schema<T>, fallback: T): T => {
  try {
    const text = localStorage.getItem(`chartroom.ui.${name}`)
    if (text === null) return fallback
    const parsed = safeParse(schema, JSON.parse(parse(string(), text)))
    return parsed.success ? parsed.output : fallback
  } catch {
    return fallback
  }
}

/** Stores a value; returns whether that worked, as storage may be inaccessible or full. */
export const keepSetting = (name: string, value: unknown): boolean => {
  try {
    localStorage.setItem(`chartroom.ui.${name}`, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** Stores a value whose loss on reload is acceptable. */
export const writeSetting = (name: string, value: unknown): void => void keepSetting(name, value)

/** Calls back when another tab wrote the setting or cleared the storage. @returns an unsubscribe function. */
export const onSetting = (name: string, listener: () => void): (() => void) => {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === `chartroom.ui.${name}`) listener()
  }
  // Outside of a page there are no other tabs.
  if (typeof addEventListener === 'undefined') return () => undefined
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

/** Names of all stored settings. */
export const settingNames = (): readonly string[] => {
  try {
    return Object.keys(localStorage).flatMap(key => /^chartroom\.ui\.(.*)$/s.exec(key)?.[1] ?? [])
  } catch {
    return []
  }
}

/** Whether localStorage has an entry with this full key; the value is not read. */
export const isStored = (key: string): boolean => {
  try {
    return Object.hasOwn(localStorage, key)
  } catch {
    return false
  }
}

/** Removes all localStorage entries whose full key matches `isOne`. */
export const forgetStored = (isOne: (key: string) => boolean): void => {
  try {
    for (const key of Object.keys(localStorage)) if (isOne(key)) localStorage.removeItem(key)
  } catch {
    // Inaccessible storage has no entries of ours.
  }
}
