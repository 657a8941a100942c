// Fetching and deleting one file.
import { toast } from 'sonner'
import { saveAs } from '../../widgets/save-as.ts'
import { useData } from '../database.ts'
import { explainCall } from '../failed-call.ts'
import { joinPath } from './listing.ts'

const asFailed = (error: unknown) => ({ data: null, error })

/** Both tell the user themselves when they fail. */
export const useFileActions = (bucket: string, path: string) => {
  const files = useData().storage.from(bucket)
  const failed = (what: string, name: string, message: string) =>
    toast.error(`${name} could not be ${what}`, { description: message })
  return {
    download: async (name: string) => {
      const { data, error } = await files.download(joinPath(path, name)).catch(asFailed)
      if (data === null) failed('downloaded', name, (await explainCall(error)).message)
      else saveAs(data, name)
    },
    /** True when the file is gone. */
    remove: async (name: string): Promise<boolean> => {
      const { data, error } = await files.remove([joinPath(path, name)]).catch(asFailed)
      if (data !== null && data.length > 0) {
        toast.success(`Deleted ${name}`)
        return true
      }
      // Policies hide files instead of refusing: nothing was matched, and no error is told.
      const message =
        error === null ? 'A policy forbids it, or it is gone already.' : (await explainCall(error)).message
      failed('deleted', name, message)
      return false
    },
  }
}
