// Saved connections: base URL and publishable key of each backend, and the active one; stored in the browser.
import {
  array,
  boolean,
  nullable,
  object,
  optional,
  pipe,
  string,
  transform,
  type InferOutput,
} from 'valibot'
import { isPublicKey } from './api-key.ts'
import { Listeners } from '../../../trace/index.ts'
import { keepSetting, onSetting, readSetting } from '../storage/local-store.ts'

const connectionSchema = object({
  /** The base URL; there is one connection per backend. */
  id: string(),
  name: string(),
  url: string(),
  /** Publishable key. */
  key: string(),
  embedded: boolean(),
  /** Set by the deployment, in its `chartroom.json`. */
  given: optional(boolean()),
  /** Path of a schema file on the page's own origin. */
  schema: optional(string()),
})

export type Connection = InferOutput<typeof connectionSchema>

/** Drops saved backends with a secret key: nothing is ever sent with one. */
export const connectionsSchema = object({
  active: nullable(string()),
  list: pipe(
    array(connectionSchema),
    transform(list => list.filter(({ key }) => isPublicKey(key))),
  ),
})

export type Connections = InferOutput<typeof connectionsSchema>

export const NO_CONNECTIONS: Connections = { active: null, list: [] }

export type ConnectionsAction =
  | { readonly type: 'connection.used'; readonly connection: Connection }
  | { readonly type: 'connection.chosen'; readonly id: string }
  | { readonly type: 'connection.forgotten'; readonly id: string }
  | { readonly type: 'connection.left' }
  | { readonly type: 'connection.renamed'; readonly id: string; readonly name: string }
  /** Moves it before the connection at index `to`, or to the end. */
  | { readonly type: 'connection.moved'; readonly id: string; readonly to: number }
  /** Restores a removed connection at its old position. */
  | { readonly type: 'connection.restored'; readonly connection: Connection; readonly at: number }
  | { readonly type: 'hosts.given'; readonly hosts: readonly Connection[] }
  | { readonly type: 'embedded.found'; readonly connection: Connection }

const put = (list: readonly Connection[], connection: Connection) =>
  list.some(each => each.id === connection.id)
    ? list.map(each => (each.id === connection.id ? connection : each))
    : [...list, connection]

const movedList = (list: readonly Connection[], id: string, to: number): Connection[] => {
  const from = list.findIndex(each => each.id === id)
  const connection = list[from]
  if (!connection) return [...list]
  return list.toSpliced(from, 1).toSpliced(Math.max(0, Math.min(to, list.length - 1)), 0, connection)
}

const withoutGiven = (connection: Connection): Connection =>
  connection.given === true ? { ...connection, given: false } : connection

/** Returns the next state of the saved connections. */
export const connectionsReducer = (state: Connections, action: ConnectionsAction): Connections => {
  switch (action.type) {
    case 'connection.used':
      return { active: action.connection.id, list: put(state.list, action.connection) }
    case 'connection.chosen':
      return state.list.some(each => each.id === action.id) ? { ...state, active: action.id } : state
    case 'connection.forgotten':
      return {
        active: state.active === action.id ? null : state.active,
        list: state.list.filter(each => each.id !== action.id),
      }
    case 'connection.left':
      return { ...state, active: null }
    case 'connection.renamed': {
      const name = action.name.trim()
      if (name === '') return state
      return {
        ...state,
        list: state.list.map(each => (each.id === action.id ? { ...each, name } : each)),
      }
    }
    case 'connection.moved':
      return { ...state, list: movedList(state.list, action.id, action.to) }
    case 'connection.restored':
      return {
        ...state,
        list: state.list.some(each => each.id === action.connection.id)
          ? state.list
          : state.list.toSpliced(action.at, 0, action.connection),
      }
    case 'hosts.given': {
      // Name and position are the user's choice; one that the deployment drops becomes a user connection.
      const ids = action.hosts.map(({ id }) => id)
      const ownConnections = state.list.filter(each => !ids.includes(each.id)).map(withoutGiven)
      return {
        active: state.active ?? (action.hosts.length === 1 ? (ids[0] ?? null) : null),
        list: [...action.hosts, ...ownConnections],
      }
    }
    case 'embedded.found': {
      // The embedded backend may have a different port or new keys since it was saved.
      const otherConnections = state.list.filter(each => !each.embedded)
      const wasActive = state.list.some(each => each.embedded && each.id === state.active)
      return {
        active: state.active === null || wasActive ? action.connection.id : state.active,
        list: [action.connection, ...otherConnections.filter(each => each.id !== action.connection.id)],
      }
    }
  }
}

/** Display name of a connection in the bar. */
export const connectionTitle = (connection: Connection): string =>
  connection.embedded ? `${connection.name} · embedded` : connection.name

interface ConnectionsStore {
  readonly connections: () => Connections
  readonly subscribe: (listener: () => void) => () => void
  readonly dispatch: (action: ConnectionsAction) => void
}

const SETTING = 'connections'

export const createConnectionsStore = (): ConnectionsStore => {
  let connections = readSetting(SETTING, connectionsSchema, NO_CONNECTIONS)
  let isKept = true
  const listeners = new Listeners()
  /** Includes changes of other tabs. If the storage accepts no writes, this tab's list is more recent. */
  const read = (): Connections =>
    isKept ? { ...connections, list: readSetting(SETTING, connectionsSchema, connections).list } : connections
  const set = (next: Connections) => {
    connections = next
    listeners.notify()
  }
  let end = () => {}
  return {
    connections: () => connections,
    subscribe: listener => {
      if (listeners.size === 0) end = onSetting(SETTING, () => set(read()))
      const leave = listeners.subscribe(listener)
      return () => {
        leave()
        if (listeners.size === 0) end()
      }
    },
    dispatch: action => {
      const next = connectionsReducer(read(), action)
      isKept = keepSetting(SETTING, next)
      set(next)
    },
  }
}
