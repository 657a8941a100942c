// Realtime as the client declares it: its code may come later, and must be there when it is started.
import { port } from './port.ts'
import type { realtimeMachine } from './realtime.ts'

export const declaredRealtime = port('realtime') as unknown as typeof realtimeMachine
