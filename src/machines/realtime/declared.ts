// The realtime actor as declared by the client. Its code may load later, but before the actor starts.
import { port } from '../port.ts'
import type { realtimeMachine } from './realtime.ts'

export const declaredRealtime = port('realtime') as unknown as typeof realtimeMachine
