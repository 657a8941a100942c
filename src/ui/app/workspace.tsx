// The connections of this browser and what was found on the page's own origin, for the whole app.
import { createContext, use, useEffect, useMemo, useReducer, useState, type ReactNode } from 'react'
import { readOwnJson } from '../../probe.ts'
import {
  connectionsReducer,
  connectionsSchema,
  NO_CONNECTIONS,
  type Connection,
  type Connections,
  type ConnectionsAction,
} from './connections.ts'
import { EMBEDDED_CONFIG_PATH, parseEmbedded, type EmbeddedConfig } from './embedded.ts'
import { readSetting, writeSetting } from './local-store.ts'

export interface Workspace {
  readonly connections: Connections
  readonly active: Connection | undefined
  /** Undefined when no backend is embedded. */
  readonly embedded: EmbeddedConfig | undefined
  readonly dispatch: (action: ConnectionsAction) => void
}

const WorkspaceContext = createContext<Workspace | undefined>(undefined)

const SETTING = 'connections'

const toConnection = (config: EmbeddedConfig): Connection => ({
  id: config.url,
  name: config.name,
  url: config.url,
  key: config.key,
  embedded: true,
})

/** Provides the saved connections; shows `splash` until the page's own origin has been asked. */
export function WorkspaceProvider(props: { readonly splash: ReactNode; readonly children: ReactNode }) {
  const [connections, dispatch] = useReducer(connectionsReducer, undefined, () =>
    readSetting(SETTING, connectionsSchema, NO_CONNECTIONS),
  )
  const [embedded, setEmbedded] = useState<EmbeddedConfig | 'none' | undefined>()
  useEffect(() => {
    let current = true
    void readOwnJson(EMBEDDED_CONFIG_PATH).then(answer => {
      if (!current) return
      const config = parseEmbedded(answer)
      if (config !== undefined) dispatch({ type: 'embedded.found', connection: toConnection(config) })
      setEmbedded(config ?? 'none')
    })
    return () => {
      current = false
    }
  }, [])
  useEffect(() => writeSetting(SETTING, connections), [connections])
  const workspace = useMemo<Workspace>(
    () => ({
      connections,
      active: connections.list.find(each => each.id === connections.active),
      embedded: embedded === 'none' ? undefined : embedded,
      dispatch,
    }),
    [connections, embedded],
  )
  if (embedded === undefined) return props.splash
  return <WorkspaceContext value={workspace}>{props.children}</WorkspaceContext>
}

/** The workspace; only below its provider. */
export const useWorkspace = (): Workspace => {
  const workspace = use(WorkspaceContext)
  if (workspace === undefined) throw new Error('useWorkspace needs a WorkspaceProvider above it')
  return workspace
}
