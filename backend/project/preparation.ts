// The initial contents of an existing project's database: only the system's schemas.
import type { DataDirectory } from '../shared/data-directory.ts'
import { type Preparation, copyFolder } from '../database/index.ts'
import { prepareRealtime } from '../realtime/index.ts'
import { copyBlobs, type Blobs, prepareStorage } from '../storage/index.ts'

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
