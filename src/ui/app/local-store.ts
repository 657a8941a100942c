// Small settings of the workbench in the browser's storage; never a session, never a secret.
import { parse, safeParse, string, type BaseIssue, type BaseSchema } from 'valibot'

type Schema<T> = BaseSchema<unknown, T, BaseIssue<unknown>>

/** The stored value, or the fallback when there is none, it is damaged, or storage is closed to us. */
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

/** Keeps a value, and tells whether it could: a storage may be closed or full. */
export const keepSetting = (name: string, value: unknown): boolean => {
  try {
    localStorage.setItem(`chartroom.ui.${name}`, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** Keeps a value that may be forgotten on reload. */
export const writeSetting = (name: string, value: unknown): void => void keepSetting(name, value)

/** Calls back when another tab wrote the setting, or cleared them all. @returns ends it */
export const onSetting = (name: string, listener: () => void): (() => void) => {
  const hear = ({ key }: StorageEvent) => {
    if (key === null || key === `chartroom.ui.${name}`) listener()
  }
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}

/** Names of all that is kept. */
export const settingNames = (): readonly string[] => {
  try {
    return Object.keys(localStorage).flatMap(key => /^chartroom\.ui\.(.*)$/s.exec(key)?.[1] ?? [])
  } catch {
    return []
  }
}

/** Whether the browser's storage has an entry of this whole name; what it holds is not read here. */
export const isStored = (key: string): boolean => {
  try {
    return Object.hasOwn(localStorage, key)
  } catch {
    return false
  }
}

/** Takes out of the browser's storage whatever `isOne` says yes to, by its whole name. */
export const forgetStored = (isOne: (key: string) => boolean): void => {
  try {
    for (const key of Object.keys(localStorage)) if (isOne(key)) localStorage.removeItem(key)
  } catch {
    // A storage that is closed to us holds nothing of ours.
  }
}
