// Every machine of the client and the workbench, by id.
import { apiKeyMachine } from '../../src/machines/api-key.ts'
import { channelMachine } from '../../src/machines/realtime/channel.ts'
import { clientMachine } from '../../src/machines/client.ts'
import { connectionMachine } from '../../src/machines/realtime/connection.ts'
import { realtimeMachine } from '../../src/machines/realtime/realtime.ts'
import { reportDeliveryMachine } from '../../src/machines/reports/delivery.ts'
import { reporterMachine } from '../../src/machines/reports/reporter.ts'
import { refreshAttemptMachine } from '../../src/machines/refresh/attempt.ts'
import { refreshMachine } from '../../src/machines/refresh/refresh.ts'
import { requestMachine } from '../../src/machines/requests/request.ts'
import { requestsMachine } from '../../src/machines/requests/requests.ts'
import { sessionMachine } from '../../src/machines/session/session.ts'
import { tabMachine } from '../../src/machines/tab.ts'
import { uploadMachine } from '../../src/machines/uploads/upload.ts'
import { uploadsMachine } from '../../src/machines/uploads/uploads.ts'
import { workbenchMachines } from '../../src/services/workbench/systems/workbench-machines.ts'

export const machines = {
  client: clientMachine,
  session: sessionMachine,
  refresh: refreshMachine,
  attempt: refreshAttemptMachine,
  tab: tabMachine,
  apiKey: apiKeyMachine,
  requests: requestsMachine,
  request: requestMachine,
  realtime: realtimeMachine,
  connection: connectionMachine,
  channel: channelMachine,
  uploads: uploadsMachine,
  upload: uploadMachine,
  reporter: reporterMachine,
  reportDelivery: reportDeliveryMachine,
  ...workbenchMachines,
} as const
export type Machines = typeof machines
