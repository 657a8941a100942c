// Recordings stored in this browser, as palette items.
import type { StoredRecording } from '../../../services/recording/index.ts'
import { openStored, type LoadStore } from '../file/earlier-recordings.tsx'
import { elapsedTime, plural } from '../text.ts'
import type { ConsoleItem } from './palette-items.ts'
import { formatDateTime } from '../../widgets/format.ts'

export const recordingItems = (
  kept: readonly StoredRecording[],
  handlers: { readonly store: LoadStore; readonly onOpen: (file: File) => void },
): readonly ConsoleItem[] =>
  kept.map(recording => ({
    key: `recording:${recording.id}`,
    kind: 'recording',
    title: `Open recording of ${formatDateTime(recording.startedAt)}`,
    detail: `${elapsedTime(recording.duration)} · ${plural(recording.steps, 'event')}`,
    words: recording.system,
    run: () => void openStored(handlers.store, recording).then(file => file && handlers.onOpen(file)),
  }))
