// Writes a recording as a file while the app goes on; loaded with the first download.
import type { ReplayableTrace } from '../../trace/index.ts'
import { encodeFile } from '../../trace/write/encode.ts'
import { createSlices } from '../runtime/index.ts'

/** The same as `encodeFile`, in slices between which the page can draw and handle input. */
export const encodeGently = (trace: ReplayableTrace): Promise<Uint8Array<ArrayBuffer>> =>
  encodeFile(trace, { pause: createSlices() })

/** The recording as a file. */
export const recordingFile = async (trace: ReplayableTrace): Promise<Blob> =>
  new Blob([await encodeGently(trace)], { type: 'application/gzip' })
