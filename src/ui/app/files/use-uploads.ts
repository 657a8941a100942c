// Sending files one after another, so that each line of the list is true.
import { useReducer, useRef } from 'react'
import { useData } from '../database.ts'
import { explainCall } from '../failed-call.ts'
import { joinPath, safeName } from './listing.ts'
import { uploadsReducer, type Upload } from './uploads.ts'

/** Uploads into `path` of `bucket`; `onStored` is called after each file that arrived. */
export const useUploads = (bucket: string, path: string, onStored: () => void) => {
  const data = useData()
  const [uploads, dispatch] = useReducer(uploadsReducer, [])
  const next = useRef(1)
  const queue = useRef(Promise.resolve())
  const send = async (file: File, upload: Upload) => {
    dispatch({ type: 'upload.started', id: upload.id })
    const options = file.type === '' ? {} : { contentType: file.type }
    try {
      const { error } = await data.storage.from(bucket).upload(joinPath(path, upload.name), file, options)
      if (error !== null) throw error
      dispatch({ type: 'upload.done', id: upload.id })
      onStored()
    } catch (error) {
      const { message } = await explainCall(error)
      dispatch({ type: 'upload.failed', id: upload.id, message })
    }
  }
  const add = (files: readonly File[]) => {
    const added = files.map((file): readonly [File, Upload] => {
      const id = next.current
      next.current += 1
      return [file, { id, name: safeName(file.name), size: file.size, phase: 'waiting' }]
    })
    dispatch({ type: 'uploads.added', uploads: added.map(([, upload]) => upload) })
    for (const [file, upload] of added) queue.current = queue.current.then(() => send(file, upload))
  }
  return { uploads, add, clear: () => dispatch({ type: 'uploads.cleared' }) }
}
