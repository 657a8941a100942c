// The uploads actor as declared by the client. Its code may load later, but before the actor starts.
import { port } from '../port.ts'
import type { uploadsMachine } from './uploads.ts'

export const declaredUploads = port('uploads') as unknown as typeof uploadsMachine
