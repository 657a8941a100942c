// All of the uploads that can wait for the first one: their machines with their ports, and their status.
import { uploadsStatus } from '../../machines/upload-status.ts'
import { composeUploads } from './compose-uploads.ts'
import { createLookUpPort } from './look-up.ts'
import { createTransferPort, type TransferHost } from './transfer.ts'

export function createUploadsParts(host: TransferHost) {
  const ports = { lookUp: createLookUpPort(host), transfer: createTransferPort(host) }
  return { machine: composeUploads(ports).uploads, status: uploadsStatus }
}

export type CreateUploadsParts = typeof createUploadsParts
export type UploadsParts = ReturnType<CreateUploadsParts>
