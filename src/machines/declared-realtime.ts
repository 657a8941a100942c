// Realtime as the client declares it: its code may come later, and must be there when it is started.
import { fromCallback } from 'xstate'
import { MissingPortError } from './ports.ts'
import type { realtimeMachine } from './realtime.ts'

export const declaredRealtime = fromCallback(() => {
  throw new MissingPortError('realtime')
}) as unknown as typeof realtimeMachine
