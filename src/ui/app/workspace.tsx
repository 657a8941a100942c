// Saved connections, embedded backend and deployment settings, for the whole app.
import { createContext, use, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import {
  type Connection,
  type Connections,
  type ConnectionsAction,
  createConnectionsStore,
  type Deployment,
  DEPLOYMENT_FILE,
  EMBEDDED_CONFIG_PATH,
  type EmbeddedConfig,
  NO_DEPLOYMENT,
  parseEmbedded,
  readDeployment,
  type ReadDeployment,
  readOwnFile,
  readOwnJson,
} from '../../services/workbench/hosts/index.ts'
import { DeploymentFailed } from './shell/deployment-failed.tsx'

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
})

interface Around {
  readonly embedded: EmbeddedConfig | undefined
  readonly deployment: ReadDeployment
}

/** Requests the embedded backend's description and the deployment settings from the page's origin. */
async function lookAround(): Promise<Around> {
  const [embedded, file] = await Promise.all([
    readOwnJson(EMBEDDED_CONFIG_PATH),
    readOwnFile(import.meta.env.BASE_URL + DEPLOYMENT_FILE),
  ])
  return { embedded: parseEmbedded(embedded), deployment: deploymentOf(file) }
}

function deploymentOf(file: Awaited<ReturnType<typeof readOwnFile>>): ReadDeployment {
  if (file === undefined) return { ok: true, deployment: NO_DEPLOYMENT }
  return 'problem' in file
    ? { ok: false, problems: [`the file: ${file.problem}`] }
    : readDeployment(file.value)
}

/** Provides the saved connections; shows `splash` until the page's origin has responded. */
export function WorkspaceProvider(props: { readonly splash: ReactNode; readonly children: ReactNode }) {
  const [store] = useState(createConnectionsStore)
  const connections = useSyncExternalStore(store.subscribe, store.connections)
  const { dispatch } = store
  const [around, setAround] = useState<Around>()
  useEffect(() => {
    let current = true
    void lookAround().then(found => {
      if (!current) return
      const { embedded, deployment } = found
      if (deployment.ok) dispatch({ type: 'hosts.given', hosts: deployment.deployment.hosts })
      if (embedded) dispatch({ type: 'embedded.found', connection: toConnection(embedded) })
      setAround(found)
    })
    return () => {
      current = false
    }
  }, [dispatch])
  if (around === undefined) return props.splash
  const { embedded, deployment } = around
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
