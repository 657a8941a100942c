// Favorites, recently opened tables and closed groups, stored in the browser per host and account.
import { array, object, optional, string } from 'valibot'
import { Listeners } from '../../../trace/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { keepByClient, userOf } from '../storage/by-client.ts'
import { onSetting, readSetting, writeSetting } from '../storage/local-store.ts'
import type { ListSettings } from './list-rows.ts'

const names = optional(array(string()), [])
const settingsSchema = object({ favorites: names, recent: names, closed: names })

const NONE: ListSettings = { favorites: [], recent: [], closed: [] }
const MOST_RECENT = 8

const toggled = (list: readonly string[], id: string): readonly string[] =>
  list.includes(id) ? list.filter(each => each !== id) : [...list, id]

class ListSettingsStore {
  readonly #name: string
  readonly #listeners = new Listeners()
  #settings: ListSettings

  /** @param user id of the account; empty while signed out */
  constructor(url: string, user: string) {
    this.#name = `table-list.${url}.${user}`
    this.#settings = this.#read()
    onSetting(this.#name, () => {
      this.#settings = this.#read()
      this.#listeners.notify()
    })
  }

  readonly subscribe = this.#listeners.subscribe

  readonly settings = (): ListSettings => this.#settings

  /** Adds or removes a favorite. @param id of the table */
  readonly toggleFavorite = (id: string): void =>
    this.#set({ ...this.#settings, favorites: toggled(this.#settings.favorites, id) })

  /** Opens or closes a group. */
  readonly toggleGroup = (id: string): void =>
    this.#set({ ...this.#settings, closed: toggled(this.#settings.closed, id) })

  /** A table was opened. */
  readonly visit = (id: string): void => {
    const { recent } = this.#settings
    if (recent[0] === id) return
    this.#set({
      ...this.#settings,
      recent: [id, ...recent.filter(each => each !== id)].slice(0, MOST_RECENT),
    })
  }

  #read(): ListSettings {
    return readSetting(this.#name, settingsSchema, NONE)
  }

  #set(settings: ListSettings): void {
    this.#settings = settings
    writeSetting(this.#name, settings)
    this.#listeners.notify()
  }
}

const stores = keepByClient<ListSettingsStore>()

/** The store of a client's user. */
export const listSettingsOf = (client: ChartroomClient): ListSettingsStore => {
  const user = userOf(client)
  return stores.of(client, user, () => new ListSettingsStore(client.url, user))
}
