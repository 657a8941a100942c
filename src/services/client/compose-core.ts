// Composes the client machines that are needed from the start.
import {
  apiKeyMachine,
  clientMachine,
  refreshAttemptMachine,
  refreshMachine,
  requestMachine,
  requestsMachine,
  sessionMachine,
  tabMachine,
} from '../../machines/index.ts'
import type * as declared from '../../machines/ports.ts'
import type { RealtimePorts } from './realtime/compose-realtime.ts'
import type { UploadPorts } from './uploads/compose-uploads.ts'

type PortName = Exclude<keyof typeof declared, 'MissingPortError'>

/** An implementation of every port, compatible with the declaration of the same name in the machines. */
export type ClientPorts = { readonly [Name in PortName]: (typeof declared)[Name] }

/** Ports that are needed without channels and uploads. */
export type CorePorts = Omit<ClientPorts, keyof RealtimePorts | keyof UploadPorts>

/**
 * All machines except realtime and uploads, by id. Child machines are the same objects as those in their
 * parents.
 */
export function composeCore(ports: CorePorts) {
  const session = sessionMachine.provide({
    actors: {
      detectUrl: ports.detectUrl,
      readSession: ports.readSession,
      authenticate: ports.authenticate,
      storeSession: ports.storeSession,
      loadUser: ports.loadUser,
      removeSession: ports.removeSession,
      revoke: ports.revoke,
    },
  })
  const attempt = refreshAttemptMachine.provide({
    actors: {
      lock: ports.lock,
      readSession: ports.readSession,
      refreshToken: ports.refreshToken,
    },
  })
  const refresh = refreshMachine.provide({ actors: { ticker: ports.ticker, attempt } })
  const tab = tabMachine.provide({
    actors: { leadership: ports.leadership, tabs: ports.tabs },
  })
  const apiKey = apiKeyMachine.provide({ actors: { checkKey: ports.checkKey } })
  const request = requestMachine.provide({ actors: { send: ports.send } })
  const requests = requestsMachine.provide({ actors: { request } })
  const environment = ports.environment
  const client = clientMachine.provide({ actors: { environment, session, refresh, tab, apiKey, requests } })
  return { client, session, refresh, attempt, tab, apiKey, requests, request }
}
