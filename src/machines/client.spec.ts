import { childRests, specify } from './specify.ts'
import { shared, renew, awaits, settles, goodToken, connect } from './samples.ts'
import { DEFAULT_TIMINGS as timings } from './timings.ts'
import { clientMachine } from './client.ts'
import { sessionSpec } from './session/session.spec.ts'
import { refreshSpec } from './refresh/refresh.spec.ts'
import { requestsSpec } from './requests/requests.spec.ts'
import { realtimeSpec } from './realtime/realtime.spec.ts'
import { uploadsSpec } from './uploads/uploads.spec.ts'
import { tabSpec } from './tab.spec.ts'
import { apiKeySpec } from './api-key.spec.ts'

export const clientSpec = specify(clientMachine, {
  about: 'The root: owns the other machines, routes events between them, and gates their requests.',
  ports: {
    environment: {
      about:
        'Reports immediately, and then on each change, whether the device is online and the page visible.',
      sends: { ...shared('environment.changed', 'environment.woke') },
      healthy: 'environment.changed',
    },
  },
  children: {
    session: { spec: sessionSpec },
    refresh: { spec: refreshSpec },
    requests: { spec: requestsSpec },
    realtime: { spec: realtimeSpec },
    uploads: { spec: uploadsSpec },
    tab: { spec: tabSpec },
    apiKey: { spec: apiKeySpec },
  },
  events: {
    ...shared(
      'channel.command',
      'channel.join',
      'channel.leave',
      'key.accepted',
      'key.changed',
      'key.check',
      'key.refused',
      'key.replaced',
      'realtime.connect',
      'realtime.disconnect',
      'realtime.wanted',
      'refresh.automatic',
      'refresh.request',
      'request.abort',
      'request.receiving',
      'request.settled',
      'request.start',
      'session.commit',
      'session.ended',
      'session.signIn',
      'session.signOut',
      'session.started',
      'session.verify',
      'stored.changed',
      'tab.role',
      'token.adopted',
      'token.delayed',
      'token.due',
      'token.expired',
      'token.needed',
      'token.refreshing',
      'token.refused',
      'token.rejected',
      'token.rotated',
      'upload.command',
      'uploads.add',
      'uploads.clear',
    ),
    'auth.settled': [{ attempt: 'a' }],
    'breaker.closed': [{}],
    'breaker.opened': [{ live: true }, { live: false }],
  },
  randomEvents: [
    'session.signIn',
    'session.signOut',
    'session.commit',
    'session.verify',
    'refresh.request',
    'request.start',
    'request.abort',
    'channel.join',
    'channel.leave',
    'channel.command',
    'realtime.connect',
    'realtime.disconnect',
  ],
  inputs: [{ timings, seed: 1 }],
  settling: [goodToken, connect, { type: 'key.check' }],
  renew,
  awaits,
  settles,
  rests: ({ children }) =>
    childRests(children.session, sessionSpec) &&
    childRests(children.refresh, refreshSpec) &&
    childRests(children.tab, tabSpec) &&
    childRests(children.requests, requestsSpec) &&
    (children.realtime === undefined || childRests(children.realtime, realtimeSpec)),
  goal: () => true,
})
