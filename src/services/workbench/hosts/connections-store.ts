// Stores the saved connections in the browser, shared by tabs; the active connection is per tab.
import { Listeners } from '../../../trace/index.ts'
import {
  connectionsReducer,
  connectionsSchema,
  NO_CONNECTIONS,
  type Connections,
  type ConnectionsAction,
} from './connections.ts'
import { keepSetting, onSetting, readSetting } from '../storage/local-store.ts'

export interface ConnectionsStore {
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
