// Composes the upload machines with their ports.
import type { checkName, transfer } from '../../../machines/ports.ts'
import { uploadMachine } from '../../../machines/uploads/upload.ts'
import { uploadsMachine } from '../../../machines/uploads/uploads.ts'

export interface UploadPorts {
  readonly checkName: typeof checkName
  readonly transfer: typeof transfer
}

export function composeUploads(ports: UploadPorts) {
  const upload = uploadMachine.provide({ actors: { checkName: ports.checkName, transfer: ports.transfer } })
  return { uploads: uploadsMachine.provide({ actors: { upload } }), upload }
}
