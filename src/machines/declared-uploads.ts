// The uploads as the client declares them: their code may come later, and must be there when they are started.
import { fromCallback } from 'xstate'
import { MissingPortError } from './ports.ts'
import type { uploadsMachine } from './uploads.ts'

export const declaredUploads = fromCallback(() => {
  throw new MissingPortError('uploads')
}) as unknown as typeof uploadsMachine
