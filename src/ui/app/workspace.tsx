// Saved connections, embedded backend and deployment settings, for the whole app.
import {
  createContext,
  use,
  useCallback,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import {
  type Connection,
  type Connections,
  type ConnectionsAction,
  createConnectionsStore,
  type Deployment,
  type EmbeddedConfig,
  readOwnOrigin,
} from '../../services/workbench/hosts/index.ts'
import { useLoaded } from '../widgets/use-promise.ts'
import { lazyPart } from './lazy-part.tsx'

export interface Workspace {
  readonly connections: Connections
  readonly active: Connection | undefined
  /** Undefined when no backend is embedded. */
  readonly embedded: EmbeddedConfig | undefined
  /** Whether users may add backends beyond those of the deployment. */
  readonly otherHosts: boolean
  readonly dispatch: (action: ConnectionsAction) => void
}

const WorkspaceContext = createContext<Workspace | undefined>(undefined)

const toConnection = (config: EmbeddedConfig): Connection => ({
  id: config.url,
  name: config.name,
  url: config.url,
  key: config.key,
  embedded: true,
  schema: config.schema,
})

const DeploymentFailed = lazyPart(
  'the message',
  async () => (await import('./shell/deployment-failed.tsx')).DeploymentFailed,
)

/** Provides the saved connections; shows `splash` until the page's origin has responded. */
export function WorkspaceProvider(props: { readonly splash: ReactNode; readonly children: ReactNode }) {
  const [store] = useState(createConnectionsStore)
  const connections = useSyncExternalStore(store.subscribe, store.connections)
  const { dispatch } = store
  const load = useCallback(async () => {
    const origin = await readOwnOrigin(import.meta.env.BASE_URL)
    const { embedded, deployment } = origin
    if (deployment.ok) dispatch({ type: 'hosts.given', hosts: deployment.deployment.hosts })
    if (embedded) dispatch({ type: 'embedded.found', connection: toConnection(embedded) })
    return origin
  }, [dispatch])
  const origin = useLoaded(load)?.value
  if (origin === undefined) return props.splash
  const { embedded, deployment } = origin
  if (!deployment.ok) return <DeploymentFailed problems={deployment.problems} />
  return (
    <Provided
      connections={connections}
      dispatch={dispatch}
      embedded={embedded}
      deployment={deployment.deployment}
    >
      {props.children}
    </Provided>
  )
}

interface ProvidedProps extends Pick<Workspace, 'connections' | 'dispatch' | 'embedded'> {
  readonly deployment: Deployment
  readonly children: ReactNode
}

function Provided({ connections, dispatch, embedded, deployment, children }: ProvidedProps) {
  const { otherHosts } = deployment
  const workspace = useMemo<Workspace>(() => {
    // Connections saved before the app was restricted to its backends are kept but hidden.
    const list = otherHosts
      ? connections.list
      : connections.list.filter(each => each.given === true || each.embedded)
    const active = list.find(each => each.id === connections.active) ?? (otherHosts ? undefined : list[0])
    return {
      connections: { active: active?.id ?? null, list },
      active,
      embedded,
      otherHosts,
      dispatch,
    }
  }, [connections, dispatch, embedded, otherHosts])
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>
}

/** Returns the workspace. @throws outside of its provider. */
export const useWorkspace = (): Workspace => {
  const workspace = use(WorkspaceContext)
  if (workspace === undefined) throw new Error('useWorkspace needs a WorkspaceProvider above it')
  return workspace
}

/** Path of the state of the project that the connected backend follows, if it is the embedded one. */
export const useProjectPath = (): string | undefined => {
  const { active, embedded } = useWorkspace()
  return active?.embedded === true ? embedded?.project : undefined
}
