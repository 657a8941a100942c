// Saved connections: base URL and publishable key of each backend, and which one is in use.
import { array, boolean, nullable, object, string, type InferOutput } from 'valibot'

const connectionSchema = object({
  /** The base URL; there is one connection per backend. */
  id: string(),
  name: string(),
  url: string(),
  /** Publishable key. */
  key: string(),
  embedded: boolean(),
})

export type Connection = InferOutput<typeof connectionSchema>

export const connectionsSchema = object({ active: nullable(string()), list: array(connectionSchema) })

export type Connections = InferOutput<typeof connectionsSchema>

export const NO_CONNECTIONS: Connections = { active: null, list: [] }

export type ConnectionsAction =
  | { readonly type: 'connection.used'; readonly connection: Connection }
  | { readonly type: 'connection.chosen'; readonly id: string }
  | { readonly type: 'connection.forgotten'; readonly id: string }
  | { readonly type: 'connection.left' }
  | { readonly type: 'embedded.found'; readonly connection: Connection }

const put = (list: readonly Connection[], connection: Connection) =>
  list.some(each => each.id === connection.id)
    ? list.map(each => (each.id === connection.id ? connection : each))
    : [...list, connection]

/** The next state of the saved connections. */
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
    case 'embedded.found': {
      // The embedded backend may have moved to another port or have new keys since it was saved.
      const others = state.list.filter(each => !each.embedded)
      const wasActive = state.list.some(each => each.embedded && each.id === state.active)
      return {
        active: state.active === null || wasActive ? action.connection.id : state.active,
        list: [action.connection, ...others.filter(each => each.id !== action.connection.id)],
      }
    }
  }
}

/** What a connection is called in the bar. */
export const connectionTitle = (connection: Connection): string =>
  connection.embedded ? `${connection.name} · embedded` : connection.name
