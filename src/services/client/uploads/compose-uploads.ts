// Composes the upload machines with their ports.
import { type checkName, type transfer, uploadMachine, uploadsMachine } from '../../../machines/index.ts'

export interface UploadPorts {
  readonly checkName: typeof checkName
  readonly transfer: typeof transfer
}

export function composeUploads(ports: UploadPorts) {
  const upload = uploadMachine.provide({ actors: { checkName: ports.checkName, transfer: ports.transfer } })
  return { uploads: uploadsMachine.provide({ actors: { upload } }), upload }
}
