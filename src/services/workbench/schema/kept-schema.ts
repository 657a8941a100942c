// The schema that the user gave for a backend: a text that stays in this browser.
import { object, optional, string } from 'valibot'
import { Listeners } from '../../../trace/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { keepByClient } from '../storage/by-client.ts'
import { forgetStored, keepSetting, readSetting } from '../storage/local-store.ts'
import { type ReadSchema, readSchemaFile, type SchemaContents } from './schema-content.ts'

const keptSchema = object({ text: string(), name: optional(string(), 'pasted text') })

/** The text and contents of the schema in use. */
interface GivenSchema {
  /** The file's name. */
  readonly name: string
  readonly schemas: SchemaContents
  /** False if this browser has no room: then it is gone with the page. */
  readonly isKept: boolean
}

/** Larger texts are hardly schemas, and would take seconds to read. */
const LONGEST = 5_000_000

/** Parses a schema file or generated types; the parser of types is loaded on demand. */
export async function readSchemaText(text: string): Promise<ReadSchema> {
  if (text.trim() === '') return { ok: false, problem: 'The text is empty.' }
  if (text.length > LONGEST)
    return { ok: false, problem: 'The text is longer than 5 MB, so it is probably not a schema.' }
  if (!/^\s*[{[]/.test(text)) return (await import('./database-types.ts')).readDatabaseTypes(text)
  try {
    return readSchemaFile(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ok: false, problem: `This is not valid JSON: ${reason}` }
  }
}

class GivenSchemaStore {
  readonly #setting: string
  readonly #listeners = new Listeners()
  #givenSchema: GivenSchema | undefined
  #loading: Promise<GivenSchema | undefined> | undefined

  constructor(url: string) {
    this.#setting = `schema.${url}`
  }

  readonly subscribe = this.#listeners.subscribe

  /** Undefined until loaded, and if there is none. */
  readonly schema = (): GivenSchema | undefined => this.#givenSchema

  /** Reads what was kept, once. */
  readonly load = (): Promise<GivenSchema | undefined> => (this.#loading ??= this.#read())

  /** Uses a text from now on, and keeps it. @returns the problem, if it is no schema */
  readonly use = async (text: string, name: string): Promise<string | undefined> => {
    const read = await readSchemaText(text)
    if (!read.ok) return read.problem
    this.#set({ name, schemas: read.schemas, isKept: keepSetting(this.#setting, { text, name }) })
    return undefined
  }

  readonly forget = (): void => {
    forgetStored(key => key === `chartroom.ui.${this.#setting}`)
    this.#set(undefined)
  }

  async #read(): Promise<GivenSchema | undefined> {
    const stored = readSetting(this.#setting, keptSchema, { text: '', name: '' })
    if (stored.text === '') return this.#givenSchema
    const read = await readSchemaText(stored.text)
    if (read.ok && this.#givenSchema === undefined)
      this.#set({ name: stored.name, schemas: read.schemas, isKept: true })
    return this.#givenSchema
  }

  #set(schema: GivenSchema | undefined): void {
    this.#givenSchema = schema
    this.#loading = Promise.resolve(schema)
    this.#listeners.notify()
  }
}

const stores = keepByClient<GivenSchemaStore>()

/** The store for a client's host. */
export const givenSchemaOf = (client: ChartroomClient): GivenSchemaStore =>
  stores.of(client, '', () => new GivenSchemaStore(client.url))
