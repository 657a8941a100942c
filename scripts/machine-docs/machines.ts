// Every machine of the client and the workbench, by id.
import { channelMachine } from '../../src/machines/channel.ts'
import { clientMachine } from '../../src/machines/client.ts'
import { connectionMachine } from '../../src/machines/connection.ts'
import { realtimeMachine } from '../../src/machines/realtime.ts'
import { refreshAttemptMachine } from '../../src/machines/refresh-attempt.ts'
import { refreshMachine } from '../../src/machines/refresh.ts'
import { requestMachine } from '../../src/machines/request.ts'
import { requestsMachine } from '../../src/machines/requests.ts'
import { sessionMachine } from '../../src/machines/session.ts'
import { tabMachine } from '../../src/machines/tab.ts'
import { uploadMachine } from '../../src/machines/upload.ts'
import { uploadsMachine } from '../../src/machines/uploads.ts'
import { workbenchMachines } from '../../src/services/workbench-machines.ts'

export const machines = {
  client: clientMachine,
  session: sessionMachine,
  refresh: refreshMachine,
  attempt: refreshAttemptMachine,
  tab: tabMachine,
  requests: requestsMachine,
  request: requestMachine,
  realtime: realtimeMachine,
  connection: connectionMachine,
  channel: channelMachine,
  uploads: uploadsMachine,
  upload: uploadMachine,
  ...workbenchMachines,
} as const
export type Machines = typeof machines
