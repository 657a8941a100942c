// The initial contents of an existing project's database: only the system's schemas.
import type { DataDirectory } from '../data-directory.ts'
import type { Preparation } from '../database/index.ts'
import { copyFolder } from '../database/snapshot.ts'
import { prepareRealtime } from '../realtime/schema.ts'
import { copyBlobs, type Blobs } from '../storage/blobs.ts'
import { prepareStorage } from '../storage/schema.ts'

export function bare(directory: DataDirectory | undefined, blobs: Blobs): Preparation {
  return {
    kind: 'bare',
    async prepare(database) {
      await prepareStorage(database)
      await prepareRealtime(database)
    },
    adopt: async objects => (directory ? copyFolder(objects, directory.objects) : copyBlobs(objects, blobs)),
  }
}
