// The client system put together from its ports; recording, replaying and tests give the same parts their own way.
import { clientMachine } from '../machines/client.ts'
import { channelMachine } from '../machines/channel.ts'
import { connectionMachine } from '../machines/connection.ts'
import * as declared from '../machines/ports.ts'
import { realtimeMachine } from '../machines/realtime.ts'
import { refreshAttemptMachine } from '../machines/refresh-attempt.ts'
import { refreshMachine } from '../machines/refresh.ts'
import { requestMachine } from '../machines/request.ts'
import { requestsMachine } from '../machines/requests.ts'
import { sessionMachine } from '../machines/session.ts'
import { tabMachine } from '../machines/tab.ts'
import type { SystemParts } from './system-parts.ts'

type PortName = Exclude<keyof typeof declared, 'MissingPortError'>

/** An implementation of every port; each fits the declaration of its name in the machines. */
export type ClientPorts = { readonly [Name in PortName]: (typeof declared)[Name] }

/** Ports that do nothing but fail: enough to replay, draw and type-check. */
export const declaredPorts: ClientPorts = declared

/** Name under which the client's traces are known. */
export const CLIENT_SYSTEM = 'chartroom'

/** Every machine with its ports, by id; the parts of one are the same objects as those of its parent. */
export function composeMachines(ports: ClientPorts, { leaf }: Pick<SystemParts, 'leaf'>) {
  const session = sessionMachine.provide({
    actors: {
      detectUrl: leaf('detectUrl', ports.detectUrl),
      readSession: leaf('readSession', ports.readSession),
      authenticate: leaf('authenticate', ports.authenticate),
      keepSession: leaf('keepSession', ports.keepSession),
      loadUser: leaf('loadUser', ports.loadUser),
      removeSession: leaf('removeSession', ports.removeSession),
      revoke: leaf('revoke', ports.revoke),
    },
  })
  const attempt = refreshAttemptMachine.provide({
    actors: {
      lock: leaf('lock', ports.lock),
      readSession: leaf('readSession', ports.readSession),
      refreshToken: leaf('refreshToken', ports.refreshToken),
    },
  })
  const refresh = refreshMachine.provide({ actors: { ticker: leaf('ticker', ports.ticker), attempt } })
  const tab = tabMachine.provide({
    actors: { leadership: leaf('leadership', ports.leadership), tabs: leaf('tabs', ports.tabs) },
  })
  const request = requestMachine.provide({ actors: { send: leaf('send', ports.send) } })
  const requests = requestsMachine.provide({ actors: { request } })
  const connection = connectionMachine.provide({
    actors: { socket: leaf('socket', ports.socket), probeSocket: leaf('probeSocket', ports.probeSocket) },
  })
  const channel = channelMachine.provide({
    actors: { topic: leaf('topic', ports.topic), resync: leaf('resync', ports.resync) },
  })
  const realtime = realtimeMachine.provide({ actors: { connection, channel } })
  const environment = leaf('environment', ports.environment)
  const client = clientMachine.provide({ actors: { environment, session, refresh, tab, requests, realtime } })
  return { client, session, refresh, attempt, tab, requests, request, realtime, connection, channel }
}

export const composeClient = (ports: ClientPorts, parts: Pick<SystemParts, 'leaf'>): typeof clientMachine =>
  composeMachines(ports, parts).client
