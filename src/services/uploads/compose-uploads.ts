// Composes the upload machines with their ports.
import type { lookUp, transfer } from '../../machines/ports.ts'
import { uploadMachine } from '../../machines/upload.ts'
import { uploadsMachine } from '../../machines/uploads.ts'

export interface UploadPorts {
  readonly lookUp: typeof lookUp
  readonly transfer: typeof transfer
}

export function composeUploads(ports: UploadPorts) {
  const upload = uploadMachine.provide({ actors: { lookUp: ports.lookUp, transfer: ports.transfer } })
  return { uploads: uploadsMachine.provide({ actors: { upload } }), upload }
}
