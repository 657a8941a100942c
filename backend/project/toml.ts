// A TOML file as a tree of settings that are read by name; tracks which ones were never read.
import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml'
import { ProjectError } from './errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Readers return `undefined` for unset values, also for those that refer to an unset environment variable.
 * @throws ProjectError for a value of the wrong type
 */
export class Settings {
  readonly #file: string
  readonly #source: string
  readonly #tree: TomlTable
  readonly #environment: Environment
  readonly #read = new Set<string>()
  /** Environment variables that are not set, by the settings that refer to them. */
  readonly #unset = new Map<string, string>()

  constructor(file: string, source: string, environment: Environment) {
    this.#file = file
    this.#source = source
    this.#environment = environment
    this.#tree = parseToml(file, source)
  }

  text(path: string): string | undefined {
    const value = this.#value(path)
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw this.error(path, 'must be a quoted string')
    return this.#resolve(path, value)
  }

  flag(path: string): boolean | undefined {
    const value = this.#value(path)
    const resolved = typeof value === 'string' ? this.#resolve(path, value) : value
    if (resolved === undefined || typeof resolved === 'boolean') return resolved
    if (resolved === 'true' || resolved === 'false') return resolved === 'true'
    throw this.error(path, 'must be true or false')
  }

  integer(path: string, max = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.#value(path)
    if (value === undefined) return undefined
    const text = typeof value === 'string' ? this.#resolve(path, value) : value
    if (text === undefined) return undefined
    const resolved = Number(text)
    if (Number.isSafeInteger(resolved) && resolved >= 0 && resolved <= max) return resolved
    const limitText = max === Number.MAX_SAFE_INTEGER ? '' : ` up to ${max}`
    throw this.error(path, `must be a whole number${limitText}`)
  }

  /** A duration such as "24h" or "1m30s", in seconds. */
  seconds(path: string): number | undefined {
    const text = this.text(path)
    if (text === undefined) return undefined
    const seconds = secondsOf(text)
    if (seconds === undefined) throw this.error(path, 'must be a duration like "24h", "1m30s" or "500ms"')
    return seconds
  }

  /** A size such as "50MiB", in bytes. As in the CLI, which reads both "MB" and "MiB" as 1,048,576. */
  bytes(path: string): number | undefined {
    const value = this.#value(path)
    if (value === undefined) return undefined
    const resolved = typeof value === 'string' ? this.#resolve(path, value) : value
    if (resolved === undefined) return undefined
    const size =
      typeof resolved === 'string' ? bytesOf(resolved) : typeof resolved === 'number' ? resolved : -1
    if (size !== undefined && Number.isSafeInteger(size) && size >= 0) return size
    throw this.error(path, 'must be a size like "50MiB" or "1000"')
  }

  texts(path: string): string[] | undefined {
    const value = this.#value(path)
    if (value === undefined) return undefined
    if (!Array.isArray(value)) throw this.error(path, 'must be a list of strings')
    return value.flatMap(item => {
      if (typeof item !== 'string') throw this.error(path, 'must be a list of strings')
      return this.#resolve(path, item) ?? []
    })
  }

  /** Names under a table. */
  names(path: string): string[] {
    const value = this.#find(path)
    return isTable(value) ? Object.keys(value) : []
  }

  /** Marks settings that are ignored without a warning, because they have no meaning here. */
  pass(...paths: string[]): void {
    for (const path of paths) this.#read.add(path)
  }

  /** Settings that were set but never read; sections that are switched off are skipped. */
  unusedKeys(): string[] {
    return this.#unusedKeysOf(this.#tree, '')
  }

  /** Settings that count as not set, because the environment variables that they refer to are not. */
  unset(): string[] {
    return [...this.#unset].map(([path, name]) => `${path} (the environment variable ${name} is not set)`)
  }

  /** @throws ProjectError if one of the settings refers to an environment variable that is not set */
  refuseUnset(...paths: string[]): void {
    for (const path of paths) {
      const name = this.#unset.get(path)
      if (name === undefined) continue
      throw this.error(
        path,
        `refers to the environment variable ${name}, which is not set. Set it, or add it to supabase/.env`,
      )
    }
  }

  error(path: string, problem: string): ProjectError {
    return new ProjectError(this.#file, this.#lineOf(path), `${path} ${problem.replace(/[^.]$/, '$&.')}`)
  }

  #unusedKeysOf(table: TomlTable, prefix: string): string[] {
    if (table['enabled'] === false) return []
    return Object.entries(table).flatMap(([key, value]) => {
      const path = prefix + key
      if (this.#read.has(path)) return []
      if (!isTable(value)) return [path]
      const unusedKeys = this.#unusedKeysOf(value, `${path}.`)
      // A section without any read setting is reported by its name.
      const isUnknown = ![...this.#read].some(read => read.startsWith(`${path}.`))
      return isUnknown && unusedKeys.length > 0 ? [`[${path}]`] : unusedKeys
    })
  }

  #value(path: string): TomlValue | undefined {
    this.#read.add(path)
    return this.#find(path)
  }

  #find(path: string): TomlValue | undefined {
    let value: TomlValue | undefined = this.#tree
    for (const key of path.split('.')) {
      if (!isTable(value) || !Object.hasOwn(value, key)) return undefined
      value = value[key]
    }
    return value
  }

  /** Returns `undefined` for an environment variable that is not set, or empty, as the CLI does. */
  #resolve(path: string, text: string): string | undefined {
    const name = /^env\((.*)\)$/.exec(text)?.[1]
    if (name === undefined) return text
    const value = this.#environment[name]
    if (value) return value
    this.#unset.set(path, name)
    return undefined
  }

  #lineOf(path: string): number | undefined {
    const keys = path.split('.')
    const key = keys.pop() ?? ''
    let section = ''
    for (const [index, line] of this.#source.split('\n').entries()) {
      section = /^\s*\[+([^[\]]+)\]/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '') ?? section
      const isKey = section === keys.join('.') && nameBefore(line) === key
      if (isKey) return index + 1
    }
    return undefined
  }
}

/** The key of a line `key = value`; empty if there is none. */
function nameBefore(line: string): string {
  return line.slice(0, Math.max(0, line.indexOf('='))).replaceAll(/["'\s]/g, '')
}

function parseToml(file: string, source: string): TomlTable {
  try {
    return parse(source)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = error.message] = error.message.split('\n')
    throw new ProjectError(file, error.line, reason)
  }
}

function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
}

const SIZE_UNITS = ['b', 'k', 'm', 'g', 't', 'p']

/** As RAMInBytes of docker/go-units. */
function bytesOf(text: string): number | undefined {
  const [, amount, unit = ''] =
    /^(\+?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?) ?(b?|[kmgtp](?:i?b)?)$/i.exec(text) ?? []
  const power = Math.max(0, SIZE_UNITS.indexOf(unit.slice(0, 1).toLowerCase()))
  return amount === undefined ? undefined : Math.trunc(Number(amount) * 1024 ** power)
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600, m: 60, s: 1, ms: 0.001 }

function secondsOf(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(text)) return text === '0' ? 0 : undefined
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/gy)
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0)
}
