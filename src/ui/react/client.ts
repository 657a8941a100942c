// The provider and its client context.
import { createContext, createElement, useContext, useEffect, useMemo, type ReactNode } from 'react'
import type { ChartroomClient } from '../../services/client/index.ts'
import { createScope, type RequestScope } from './scope.ts'

interface Provided {
  readonly client: ChartroomClient
  readonly scope: RequestScope
}

const ClientContext = createContext<Provided | undefined>(undefined)

/**
 * Provides the client to the hooks below it. The caller owns the client: unmounting does not dispose it, but
 * aborts the requests of components that are still suspended.
 */
export function ChartroomProvider<Database>(props: {
  readonly client: ChartroomClient<Database>
  readonly children?: ReactNode
}): ReactNode {
  const client = props.client as ChartroomClient
  const provided = useMemo(() => ({ client, scope: createScope(client) }), [client])
  useEffect(() => provided.scope.open(), [provided])
  return createElement(ClientContext.Provider, { value: provided }, props.children)
}

export function useProvided(): Provided {
  const provided = useContext(ClientContext)
  if (!provided)
    throw new Error('The hooks of chartroom/react need a <ChartroomProvider client={…}> above them')
  return provided
}

/** Returns the client of the nearest provider. @throws if there is none. */
export function useClient<Database = unknown>(): ChartroomClient<Database> {
  return useProvided().client as ChartroomClient<Database>
}
