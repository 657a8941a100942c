// The uploads as the client declares them: their code may come later, and must be there when they are started.
import { port } from './port.ts'
import type { uploadsMachine } from './uploads.ts'

export const declaredUploads = port('uploads') as unknown as typeof uploadsMachine
